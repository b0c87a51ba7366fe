package dev.stowage.driver.controller;

import csi.v1.GetSnapshotRequest;
import csi.v1.GetSnapshotResponse;
import dev.stowage.core.backend.Snapshots;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.driver.call.Operation;
import dev.stowage.driver.message.Responses;
import dev.stowage.driver.message.TextMaps;

final class GetSnapshot implements Operation<GetSnapshotRequest, SnapshotId, GetSnapshotResponse> {

    private final Snapshots snapshots;

    GetSnapshot(Snapshots snapshots) {
        this.snapshots = snapshots;
    }

    @Override
    public SnapshotId parse(GetSnapshotRequest request) {
        var snapshot = new SnapshotId(request.getSnapshotId());
        TextMaps.secrets(request.getSecretsMap());
        return snapshot;
    }

    @Override
    public GetSnapshotResponse perform(SnapshotId snapshot) {
        return GetSnapshotResponse.newBuilder()
                .setSnapshot(Responses.snapshot(snapshots.find(snapshot)))
                .build();
    }
}
