package dev.stowage.sidecar.csi;

import csi.v1.ControllerGetCapabilitiesRequest;
import csi.v1.ControllerServiceCapability;
import csi.v1.GetPluginCapabilitiesRequest;
import csi.v1.PluginCapability;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * What a driver is called and can do, as far as attaching is concerned.
 *
 * @param attaches whether volumes are attached to nodes at all
 * @param readOnly whether a volume can be attached to be read only
 * @param listsPublishedNodes whether a listing says where volumes are attached
 * @param distinguishesWriters whether it tells one writer on a node from several
 */
public record DriverFeatures(
        String name, boolean attaches, boolean readOnly, boolean listsPublishedNodes, boolean distinguishesWriters) {

    /** Asks a driver that is ready. */
    public static DriverFeatures of(DriverConnection driver, Duration timeout) {
        String name = driver.driverName(timeout);
        if (!hasController(driver, timeout)) {
            return new DriverFeatures(name, false, false, false, false);
        }
        var abilities = abilities(driver, timeout);
        return new DriverFeatures(
                name,
                abilities.contains(ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME),
                abilities.contains(ControllerServiceCapability.RPC.Type.PUBLISH_READONLY),
                abilities.contains(ControllerServiceCapability.RPC.Type.LIST_VOLUMES)
                        && abilities.contains(ControllerServiceCapability.RPC.Type.LIST_VOLUMES_PUBLISHED_NODES),
                abilities.contains(ControllerServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER));
    }

    private static boolean hasController(DriverConnection driver, Duration timeout) {
        return driver
                .identity(timeout)
                .getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance())
                .getCapabilitiesList()
                .stream()
                .anyMatch(capability ->
                        capability.getService().getType() == PluginCapability.Service.Type.CONTROLLER_SERVICE);
    }

    private static Set<ControllerServiceCapability.RPC.Type> abilities(DriverConnection driver, Duration timeout) {
        var abilities = EnumSet.noneOf(ControllerServiceCapability.RPC.Type.class);
        driver.controller(timeout)
                .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance())
                .getCapabilitiesList()
                .forEach(capability -> abilities.add(capability.getRpc().getType()));
        return abilities;
    }
}
