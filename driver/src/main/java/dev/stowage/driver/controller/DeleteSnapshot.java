package dev.stowage.driver.controller;

import csi.v1.DeleteSnapshotRequest;
import csi.v1.DeleteSnapshotResponse;
import dev.stowage.core.backend.Snapshots;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.core.lane.LaneNames;
import dev.stowage.core.lane.Lanes.Wish;
import dev.stowage.driver.call.Operation;
import dev.stowage.driver.message.TextMaps;
import java.util.List;

final class DeleteSnapshot implements Operation<DeleteSnapshotRequest, SnapshotId, DeleteSnapshotResponse> {

    private final Snapshots snapshots;

    DeleteSnapshot(Snapshots snapshots) {
        this.snapshots = snapshots;
    }

    @Override
    public SnapshotId parse(DeleteSnapshotRequest request) {
        var snapshot = new SnapshotId(request.getSnapshotId());
        TextMaps.secrets(request.getSecretsMap());
        return snapshot;
    }

    @Override
    public List<Wish> lanes(SnapshotId snapshot) {
        return List.of(LaneNames.snapshot(snapshot));
    }

    @Override
    public DeleteSnapshotResponse perform(SnapshotId snapshot) {
        snapshots.delete(snapshot);
        return DeleteSnapshotResponse.getDefaultInstance();
    }
}
