package dev.stowage.driver.controller;

import csi.v1.ControllerGetCapabilitiesResponse;
import csi.v1.ControllerServiceCapability;
import csi.v1.ControllerServiceCapability.RPC;
import dev.stowage.core.backend.ControllerSide;
import java.util.ArrayList;
import java.util.List;

/** What the Controller service can do, read off the abilities that the storage has. */
final class ControllerCapabilities {

    private ControllerCapabilities() {}

    static List<RPC.Type> of(ControllerSide storage) {
        var types = new ArrayList<>(List.of(
                RPC.Type.CREATE_DELETE_VOLUME,
                RPC.Type.LIST_VOLUMES,
                RPC.Type.GET_VOLUME,
                RPC.Type.SINGLE_NODE_MULTI_WRITER));
        if (storage.volumes().clonable()) {
            types.add(RPC.Type.CLONE_VOLUME);
        }
        if (storage.attachments().isPresent()) {
            types.add(RPC.Type.PUBLISH_UNPUBLISH_VOLUME);
            types.add(RPC.Type.PUBLISH_READONLY);
            types.add(RPC.Type.LIST_VOLUMES_PUBLISHED_NODES);
        }
        if (storage.capacity().isPresent()) {
            types.add(RPC.Type.GET_CAPACITY);
        }
        if (storage.expansion().isPresent()) {
            types.add(RPC.Type.EXPAND_VOLUME);
        }
        if (storage.modification().isPresent()) {
            types.add(RPC.Type.MODIFY_VOLUME);
        }
        if (storage.snapshots().isPresent()) {
            types.add(RPC.Type.CREATE_DELETE_SNAPSHOT);
            types.add(RPC.Type.LIST_SNAPSHOTS);
            types.add(RPC.Type.GET_SNAPSHOT);
        }
        if (storage.health().isPresent()) {
            types.add(RPC.Type.GET_VOLUME_HEALTH);
            types.add(RPC.Type.LIST_VOLUME_HEALTH);
        }
        return types;
    }

    static ControllerGetCapabilitiesResponse response(ControllerSide storage) {
        var response = ControllerGetCapabilitiesResponse.newBuilder();
        of(storage)
                .forEach(type -> response.addCapabilities(ControllerServiceCapability.newBuilder()
                        .setRpc(RPC.newBuilder().setType(type))));
        return response.build();
    }
}
