package dev.stowage.driver.node;

import csi.v1.NodeGetVolumeHealthRequest;
import csi.v1.NodeGetVolumeHealthResponse;
import dev.stowage.core.backend.NodeVolumes;
import dev.stowage.core.id.VolumeId;
import dev.stowage.driver.call.Operation;
import dev.stowage.driver.message.Requests;
import dev.stowage.driver.message.Responses;

final class NodeGetVolumeHealth
        implements Operation<NodeGetVolumeHealthRequest, NodeVolumes.Place, NodeGetVolumeHealthResponse> {

    private final NodeVolumes node;

    NodeGetVolumeHealth(NodeVolumes node) {
        this.node = node;
    }

    @Override
    public NodeVolumes.Place parse(NodeGetVolumeHealthRequest request) {
        return new NodeVolumes.Place(
                new VolumeId(request.getVolumeId()),
                Requests.optionalLookedUp(request.getVolumePublishPath()),
                Requests.optionalLookedUp(request.getStagingTargetPath()));
    }

    @Override
    public NodeGetVolumeHealthResponse perform(NodeVolumes.Place place) {
        return NodeGetVolumeHealthResponse.newBuilder()
                .setVolumeHealth(Responses.health(node.health(place)))
                .build();
    }
}
