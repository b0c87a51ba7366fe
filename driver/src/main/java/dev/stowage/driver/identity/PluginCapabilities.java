package dev.stowage.driver.identity;

import csi.v1.GetPluginCapabilitiesResponse;
import csi.v1.PluginCapability.Service;
import csi.v1.PluginCapability.VolumeExpansion;
import dev.stowage.core.backend.Backend;
import dev.stowage.core.backend.ControllerSide;
import dev.stowage.core.backend.NodeVolumes;
import java.util.Optional;

/** What the plugin as a whole can do, read off the abilities that the backend has. */
final class PluginCapabilities {

    private final GetPluginCapabilitiesResponse.Builder response = GetPluginCapabilitiesResponse.newBuilder();

    private PluginCapabilities() {}

    /** The node's topology is asked for once, here: a Probe's neighbour must not wait for storage. */
    static GetPluginCapabilitiesResponse of(Backend backend) {
        var capabilities = new PluginCapabilities();
        backend.controller().ifPresent(capabilities::addController);
        boolean volumesHavePlaces = backend.controller()
                .map(ControllerSide::topologyConstrained)
                .orElseGet(() -> nodeHasPlace(backend.node()));
        if (volumesHavePlaces) {
            capabilities.add(Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS);
        }
        return capabilities.response.build();
    }

    private static boolean nodeHasPlace(Optional<NodeVolumes> node) {
        return node.flatMap(volumes -> volumes.info().topology()).isPresent();
    }

    private void addController(ControllerSide storage) {
        add(Service.Type.CONTROLLER_SERVICE);
        if (storage.groupSnapshots().isPresent()) {
            add(Service.Type.GROUP_CONTROLLER_SERVICE);
        }
        if (storage.changedBlocks().isPresent()) {
            add(Service.Type.SNAPSHOT_METADATA_SERVICE);
        }
        if (storage.topologyConstrained() && storage.snapshots().isPresent()) {
            add(Service.Type.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS);
        }
        if (storage.expansion().isPresent()) {
            response.addCapabilitiesBuilder()
                    .setVolumeExpansion(VolumeExpansion.newBuilder().setType(VolumeExpansion.Type.ONLINE));
        }
    }

    private void add(Service.Type type) {
        response.addCapabilitiesBuilder().getServiceBuilder().setType(type);
    }
}
