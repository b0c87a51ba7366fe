package dev.stowage.conformance.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.ControllerGetCapabilitiesRequest;
import csi.v1.ControllerServiceCapability;
import csi.v1.GetPluginCapabilitiesRequest;
import csi.v1.GroupControllerGetCapabilitiesRequest;
import csi.v1.GroupControllerServiceCapability;
import csi.v1.NodeGetCapabilitiesRequest;
import csi.v1.NodeServiceCapability;
import csi.v1.PluginCapability;
import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.harness.Workspace;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class CapabilitiesTest {

    /** Taken from the interface itself, so that a capability of a later version is missed here. */
    @Test
    void everyCapabilityOfTheInterfaceIsDeclaredOnceAndNoOther() {
        try (var workspace = Workspace.create();
                var driver = RunningDriver.in(workspace).start()) {
            var csi = driver.csi();
            assertThat(csi.controller()
                            .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance())
                            .getCapabilitiesList())
                    .extracting(capability -> capability.getRpc().getType())
                    .containsExactlyInAnyOrderElementsOf(real(ControllerServiceCapability.RPC.Type.values()));
            assertThat(csi.node()
                            .nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance())
                            .getCapabilitiesList())
                    .extracting(capability -> capability.getRpc().getType())
                    .containsExactlyInAnyOrderElementsOf(real(NodeServiceCapability.RPC.Type.values()));
            assertThat(csi.groups()
                            .groupControllerGetCapabilities(GroupControllerGetCapabilitiesRequest.getDefaultInstance())
                            .getCapabilitiesList())
                    .extracting(capability -> capability.getRpc().getType())
                    .containsExactlyInAnyOrderElementsOf(real(GroupControllerServiceCapability.RPC.Type.values()));
            var plugin = csi.identity()
                    .getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance())
                    .getCapabilitiesList();
            assertThat(plugin.stream()
                            .filter(PluginCapability::hasService)
                            .map(capability -> capability.getService().getType()))
                    .containsExactlyInAnyOrderElementsOf(real(PluginCapability.Service.Type.values()));
            // ONLINE and OFFLINE exclude each other: ONLINE says that a volume can grow in use or not.
            assertThat(plugin.stream()
                            .filter(PluginCapability::hasVolumeExpansion)
                            .map(capability -> capability.getVolumeExpansion().getType()))
                    .containsExactly(PluginCapability.VolumeExpansion.Type.ONLINE);
        }
    }

    private static <E extends Enum<E>> List<E> real(E[] values) {
        return Arrays.stream(values)
                .filter(value ->
                        !value.name().equals("UNKNOWN") && !value.name().equals("UNRECOGNIZED"))
                .toList();
    }
}
