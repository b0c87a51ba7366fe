package dev.stowage.driver.node;

import csi.v1.NodeExpandVolumeRequest;
import csi.v1.NodeExpandVolumeResponse;
import csi.v1.NodeGetCapabilitiesRequest;
import csi.v1.NodeGetCapabilitiesResponse;
import csi.v1.NodeGetInfoRequest;
import csi.v1.NodeGetInfoResponse;
import csi.v1.NodeGetStorageHealthRequest;
import csi.v1.NodeGetStorageHealthResponse;
import csi.v1.NodeGetVolumeHealthRequest;
import csi.v1.NodeGetVolumeHealthResponse;
import csi.v1.NodeGetVolumeStatsRequest;
import csi.v1.NodeGetVolumeStatsResponse;
import csi.v1.NodeGrpc;
import csi.v1.NodePublishVolumeRequest;
import csi.v1.NodePublishVolumeResponse;
import csi.v1.NodeServiceCapability;
import csi.v1.NodeServiceCapability.RPC;
import csi.v1.NodeStageVolumeRequest;
import csi.v1.NodeStageVolumeResponse;
import csi.v1.NodeUnpublishVolumeRequest;
import csi.v1.NodeUnpublishVolumeResponse;
import csi.v1.NodeUnstageVolumeRequest;
import csi.v1.NodeUnstageVolumeResponse;
import dev.stowage.core.backend.NodeVolumes;
import dev.stowage.driver.call.Calls;
import io.grpc.stub.StreamObserver;
import java.util.List;

/** Hands each Node call to the class that knows it. */
public final class NodeService extends NodeGrpc.NodeImplBase {

    /** A node's side has every ability; a backend cannot offer a part of it. */
    private static final List<RPC.Type> CAPABILITIES = List.of(
            RPC.Type.STAGE_UNSTAGE_VOLUME,
            RPC.Type.GET_VOLUME_STATS,
            RPC.Type.EXPAND_VOLUME,
            RPC.Type.SINGLE_NODE_MULTI_WRITER,
            RPC.Type.VOLUME_MOUNT_GROUP,
            RPC.Type.GET_VOLUME_HEALTH,
            RPC.Type.GET_STORAGE_HEALTH);

    private final NodeVolumes node;
    private final Calls calls;

    public NodeService(NodeVolumes node, Calls calls) {
        this.node = node;
        this.calls = calls;
    }

    @Override
    public void nodeGetCapabilities(
            NodeGetCapabilitiesRequest request, StreamObserver<NodeGetCapabilitiesResponse> out) {
        var response = NodeGetCapabilitiesResponse.newBuilder();
        CAPABILITIES.forEach(type -> response.addCapabilities(
                NodeServiceCapability.newBuilder().setRpc(RPC.newBuilder().setType(type))));
        out.onNext(response.build());
        out.onCompleted();
    }

    @Override
    public void nodeStageVolume(NodeStageVolumeRequest request, StreamObserver<NodeStageVolumeResponse> out) {
        calls.answer(new NodeStageVolume(node), request, out);
    }

    @Override
    public void nodeUnstageVolume(NodeUnstageVolumeRequest request, StreamObserver<NodeUnstageVolumeResponse> out) {
        calls.answer(new NodeUnstageVolume(node), request, out);
    }

    @Override
    public void nodePublishVolume(NodePublishVolumeRequest request, StreamObserver<NodePublishVolumeResponse> out) {
        calls.answer(new NodePublishVolume(node), request, out);
    }

    @Override
    public void nodeUnpublishVolume(
            NodeUnpublishVolumeRequest request, StreamObserver<NodeUnpublishVolumeResponse> out) {
        calls.answer(new NodeUnpublishVolume(node), request, out);
    }

    @Override
    public void nodeGetVolumeStats(NodeGetVolumeStatsRequest request, StreamObserver<NodeGetVolumeStatsResponse> out) {
        calls.answer(new NodeGetVolumeStats(node), request, out);
    }

    @Override
    public void nodeGetVolumeHealth(
            NodeGetVolumeHealthRequest request, StreamObserver<NodeGetVolumeHealthResponse> out) {
        calls.answer(new NodeGetVolumeHealth(node), request, out);
    }

    @Override
    public void nodeGetStorageHealth(
            NodeGetStorageHealthRequest request, StreamObserver<NodeGetStorageHealthResponse> out) {
        calls.answer(new NodeGetStorageHealth(node), request, out);
    }

    @Override
    public void nodeExpandVolume(NodeExpandVolumeRequest request, StreamObserver<NodeExpandVolumeResponse> out) {
        calls.answer(new NodeExpandVolume(node), request, out);
    }

    @Override
    public void nodeGetInfo(NodeGetInfoRequest request, StreamObserver<NodeGetInfoResponse> out) {
        calls.answer(new NodeGetInfo(node), request, out);
    }
}
