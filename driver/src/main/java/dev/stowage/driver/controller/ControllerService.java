package dev.stowage.driver.controller;

import csi.v1.ControllerExpandVolumeRequest;
import csi.v1.ControllerExpandVolumeResponse;
import csi.v1.ControllerGetCapabilitiesRequest;
import csi.v1.ControllerGetCapabilitiesResponse;
import csi.v1.ControllerGetVolumeHealthRequest;
import csi.v1.ControllerGetVolumeHealthResponse;
import csi.v1.ControllerGetVolumeRequest;
import csi.v1.ControllerGetVolumeResponse;
import csi.v1.ControllerGrpc;
import csi.v1.ControllerListVolumeHealthRequest;
import csi.v1.ControllerListVolumeHealthResponse;
import csi.v1.ControllerModifyVolumeRequest;
import csi.v1.ControllerModifyVolumeResponse;
import csi.v1.ControllerPublishVolumeRequest;
import csi.v1.ControllerPublishVolumeResponse;
import csi.v1.ControllerUnpublishVolumeRequest;
import csi.v1.ControllerUnpublishVolumeResponse;
import csi.v1.CreateSnapshotRequest;
import csi.v1.CreateSnapshotResponse;
import csi.v1.CreateVolumeRequest;
import csi.v1.CreateVolumeResponse;
import csi.v1.DeleteSnapshotRequest;
import csi.v1.DeleteSnapshotResponse;
import csi.v1.DeleteVolumeRequest;
import csi.v1.DeleteVolumeResponse;
import csi.v1.GetCapacityRequest;
import csi.v1.GetCapacityResponse;
import csi.v1.GetSnapshotRequest;
import csi.v1.GetSnapshotResponse;
import csi.v1.ListSnapshotsRequest;
import csi.v1.ListSnapshotsResponse;
import csi.v1.ListVolumesRequest;
import csi.v1.ListVolumesResponse;
import csi.v1.ValidateVolumeCapabilitiesRequest;
import csi.v1.ValidateVolumeCapabilitiesResponse;
import dev.stowage.core.backend.ControllerSide;
import dev.stowage.driver.call.Calls;
import io.grpc.stub.StreamObserver;

/** Hands each Controller call to the class that knows it; what the storage lacks is answered with UNIMPLEMENTED. */
public final class ControllerService extends ControllerGrpc.ControllerImplBase {

    private final ControllerSide storage;
    private final Calls calls;

    public ControllerService(ControllerSide storage, Calls calls) {
        this.storage = storage;
        this.calls = calls;
    }

    @Override
    public void controllerGetCapabilities(
            ControllerGetCapabilitiesRequest request, StreamObserver<ControllerGetCapabilitiesResponse> out) {
        out.onNext(ControllerCapabilities.response(storage));
        out.onCompleted();
    }

    @Override
    public void createVolume(CreateVolumeRequest request, StreamObserver<CreateVolumeResponse> out) {
        calls.answer(new CreateVolume(storage), request, out);
    }

    @Override
    public void deleteVolume(DeleteVolumeRequest request, StreamObserver<DeleteVolumeResponse> out) {
        calls.answer(new DeleteVolume(storage.volumes()), request, out);
    }

    @Override
    public void controllerPublishVolume(
            ControllerPublishVolumeRequest request, StreamObserver<ControllerPublishVolumeResponse> out) {
        calls.answer(storage.attachments().map(ControllerPublishVolume::new), request, out);
    }

    @Override
    public void controllerUnpublishVolume(
            ControllerUnpublishVolumeRequest request, StreamObserver<ControllerUnpublishVolumeResponse> out) {
        calls.answer(storage.attachments().map(ControllerUnpublishVolume::new), request, out);
    }

    @Override
    public void validateVolumeCapabilities(
            ValidateVolumeCapabilitiesRequest request, StreamObserver<ValidateVolumeCapabilitiesResponse> out) {
        calls.answer(new ValidateVolumeCapabilities(storage.volumes()), request, out);
    }

    @Override
    public void listVolumes(ListVolumesRequest request, StreamObserver<ListVolumesResponse> out) {
        calls.answer(new ListVolumes(storage), request, out);
    }

    @Override
    public void controllerGetVolume(
            ControllerGetVolumeRequest request, StreamObserver<ControllerGetVolumeResponse> out) {
        calls.answer(new ControllerGetVolume(storage.volumes()), request, out);
    }

    @Override
    public void controllerModifyVolume(
            ControllerModifyVolumeRequest request, StreamObserver<ControllerModifyVolumeResponse> out) {
        calls.answer(storage.modification().map(ControllerModifyVolume::new), request, out);
    }

    @Override
    public void getCapacity(GetCapacityRequest request, StreamObserver<GetCapacityResponse> out) {
        calls.answer(storage.capacity().map(GetCapacity::new), request, out);
    }

    @Override
    public void createSnapshot(CreateSnapshotRequest request, StreamObserver<CreateSnapshotResponse> out) {
        calls.answer(storage.snapshots().map(CreateSnapshot::new), request, out);
    }

    @Override
    public void deleteSnapshot(DeleteSnapshotRequest request, StreamObserver<DeleteSnapshotResponse> out) {
        calls.answer(storage.snapshots().map(DeleteSnapshot::new), request, out);
    }

    @Override
    public void listSnapshots(ListSnapshotsRequest request, StreamObserver<ListSnapshotsResponse> out) {
        calls.answer(storage.snapshots().map(ListSnapshots::new), request, out);
    }

    @Override
    public void getSnapshot(GetSnapshotRequest request, StreamObserver<GetSnapshotResponse> out) {
        calls.answer(storage.snapshots().map(GetSnapshot::new), request, out);
    }

    @Override
    public void controllerExpandVolume(
            ControllerExpandVolumeRequest request, StreamObserver<ControllerExpandVolumeResponse> out) {
        calls.answer(storage.expansion().map(ControllerExpandVolume::new), request, out);
    }

    @Override
    public void controllerGetVolumeHealth(
            ControllerGetVolumeHealthRequest request, StreamObserver<ControllerGetVolumeHealthResponse> out) {
        calls.answer(storage.health().map(ControllerGetVolumeHealth::new), request, out);
    }

    @Override
    public void controllerListVolumeHealth(
            ControllerListVolumeHealthRequest request, StreamObserver<ControllerListVolumeHealthResponse> out) {
        calls.answer(storage.health().map(ControllerListVolumeHealth::new), request, out);
    }
}
