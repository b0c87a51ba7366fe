package dev.stowage.driver.group;

import csi.v1.CreateVolumeGroupSnapshotRequest;
import csi.v1.CreateVolumeGroupSnapshotResponse;
import csi.v1.DeleteVolumeGroupSnapshotRequest;
import csi.v1.DeleteVolumeGroupSnapshotResponse;
import csi.v1.GetVolumeGroupSnapshotRequest;
import csi.v1.GetVolumeGroupSnapshotResponse;
import csi.v1.GroupControllerGetCapabilitiesRequest;
import csi.v1.GroupControllerGetCapabilitiesResponse;
import csi.v1.GroupControllerGrpc;
import csi.v1.GroupControllerServiceCapability;
import csi.v1.GroupControllerServiceCapability.RPC;
import dev.stowage.core.backend.GroupSnapshots;
import dev.stowage.driver.call.Calls;
import io.grpc.stub.StreamObserver;

/** Served only where the storage can take several snapshots at one instant. */
public final class GroupService extends GroupControllerGrpc.GroupControllerImplBase {

    private final GroupSnapshots groups;
    private final Calls calls;

    public GroupService(GroupSnapshots groups, Calls calls) {
        this.groups = groups;
        this.calls = calls;
    }

    @Override
    public void groupControllerGetCapabilities(
            GroupControllerGetCapabilitiesRequest request, StreamObserver<GroupControllerGetCapabilitiesResponse> out) {
        var response = GroupControllerGetCapabilitiesResponse.newBuilder();
        response.addCapabilitiesBuilder()
                .setRpc(GroupControllerServiceCapability.RPC
                        .newBuilder()
                        .setType(RPC.Type.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT));
        out.onNext(response.build());
        out.onCompleted();
    }

    @Override
    public void createVolumeGroupSnapshot(
            CreateVolumeGroupSnapshotRequest request, StreamObserver<CreateVolumeGroupSnapshotResponse> out) {
        calls.answer(new CreateVolumeGroupSnapshot(groups), request, out);
    }

    @Override
    public void deleteVolumeGroupSnapshot(
            DeleteVolumeGroupSnapshotRequest request, StreamObserver<DeleteVolumeGroupSnapshotResponse> out) {
        calls.answer(new DeleteVolumeGroupSnapshot(groups), request, out);
    }

    @Override
    public void getVolumeGroupSnapshot(
            GetVolumeGroupSnapshotRequest request, StreamObserver<GetVolumeGroupSnapshotResponse> out) {
        calls.answer(new GetVolumeGroupSnapshot(groups), request, out);
    }
}
