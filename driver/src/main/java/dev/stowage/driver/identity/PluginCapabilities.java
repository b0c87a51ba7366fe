package dev.stowage.driver.identity;

import csi.v1.GetPluginCapabilitiesResponse;
import csi.v1.PluginCapability;
import csi.v1.PluginCapability.Service;
import csi.v1.PluginCapability.VolumeExpansion;
import dev.stowage.core.backend.Ability;
import dev.stowage.core.backend.Backend;

/** What the plugin as a whole can do, read off the abilities that the backend has. */
final class PluginCapabilities {

    private PluginCapabilities() {}

    /** Asked for once, when the service is made: a Probe's neighbour must not wait for storage. */
    static GetPluginCapabilitiesResponse of(Backend backend) {
        var response = GetPluginCapabilitiesResponse.newBuilder();
        backend.abilities().stream()
                .sorted()
                .map(PluginCapabilities::capability)
                .forEach(response::addCapabilities);
        return response.build();
    }

    private static PluginCapability capability(Ability ability) {
        return switch (ability) {
            case CONTROLLER -> service(Service.Type.CONTROLLER_SERVICE);
            case VOLUMES_HAVE_PLACES -> service(Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS);
            case GROUP_SNAPSHOTS -> service(Service.Type.GROUP_CONTROLLER_SERVICE);
            case CHANGED_BLOCKS -> service(Service.Type.SNAPSHOT_METADATA_SERVICE);
            case SNAPSHOTS_HAVE_PLACES -> service(Service.Type.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS);
            case GROWTH ->
                PluginCapability.newBuilder()
                        .setVolumeExpansion(VolumeExpansion.newBuilder().setType(VolumeExpansion.Type.ONLINE))
                        .build();
        };
    }

    private static PluginCapability service(Service.Type type) {
        return PluginCapability.newBuilder()
                .setService(Service.newBuilder().setType(type))
                .build();
    }
}
