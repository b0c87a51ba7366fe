package dev.stowage.driver.node;

import csi.v1.NodeGetInfoRequest;
import csi.v1.NodeGetInfoResponse;
import dev.stowage.core.backend.NodeVolumes;
import dev.stowage.driver.call.Operation;
import dev.stowage.driver.message.Topologies;

final class NodeGetInfo implements Operation<NodeGetInfoRequest, NodeGetInfoRequest, NodeGetInfoResponse> {

    private final NodeVolumes node;

    NodeGetInfo(NodeVolumes node) {
        this.node = node;
    }

    @Override
    public NodeGetInfoRequest parse(NodeGetInfoRequest request) {
        return request;
    }

    @Override
    public NodeGetInfoResponse perform(NodeGetInfoRequest request) {
        var info = node.info();
        var response =
                NodeGetInfoResponse.newBuilder().setNodeId(info.id().value()).setMaxVolumesPerNode(info.mostVolumes());
        info.topology().map(Topologies::message).ifPresent(response::setAccessibleTopology);
        return response.build();
    }
}
