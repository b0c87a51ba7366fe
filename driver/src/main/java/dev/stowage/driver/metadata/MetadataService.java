package dev.stowage.driver.metadata;

import csi.v1.GetMetadataAllocatedRequest;
import csi.v1.GetMetadataAllocatedResponse;
import csi.v1.GetMetadataDeltaRequest;
import csi.v1.GetMetadataDeltaResponse;
import csi.v1.SnapshotMetadataGrpc;
import dev.stowage.core.backend.ChangedBlocks;
import dev.stowage.driver.call.Calls;
import io.grpc.stub.StreamObserver;

/** Served only where the storage can tell which blocks a snapshot holds. */
public final class MetadataService extends SnapshotMetadataGrpc.SnapshotMetadataImplBase {

    private final ChangedBlocks blocks;
    private final Calls calls;

    public MetadataService(ChangedBlocks blocks, Calls calls) {
        this.blocks = blocks;
        this.calls = calls;
    }

    @Override
    public void getMetadataAllocated(
            GetMetadataAllocatedRequest request, StreamObserver<GetMetadataAllocatedResponse> out) {
        calls.stream(new GetMetadataAllocated(blocks), request, out);
    }

    @Override
    public void getMetadataDelta(GetMetadataDeltaRequest request, StreamObserver<GetMetadataDeltaResponse> out) {
        calls.stream(new GetMetadataDelta(blocks), request, out);
    }
}
