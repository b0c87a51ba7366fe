package dev.stowage.driver.controller;

import csi.v1.ListSnapshotsRequest;
import csi.v1.ListSnapshotsResponse;
import dev.stowage.core.backend.Snapshots;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.page.Page;
import dev.stowage.core.page.PageRequest;
import dev.stowage.core.volume.Snapshot;
import dev.stowage.driver.call.Operation;
import dev.stowage.driver.message.Requests;
import dev.stowage.driver.message.Responses;
import dev.stowage.driver.message.TextMaps;
import java.util.List;
import java.util.Optional;

final class ListSnapshots implements Operation<ListSnapshotsRequest, ListSnapshots.Wanted, ListSnapshotsResponse> {

    record Wanted(Optional<SnapshotId> snapshot, Optional<VolumeId> source, PageRequest page) {}

    private final Snapshots snapshots;

    ListSnapshots(Snapshots snapshots) {
        this.snapshots = snapshots;
    }

    @Override
    public Wanted parse(ListSnapshotsRequest request) {
        TextMaps.secrets(request.getSecretsMap());
        return new Wanted(
                Optional.of(request.getSnapshotId()).filter(id -> !id.isEmpty()).map(SnapshotId::new),
                Optional.of(request.getSourceVolumeId())
                        .filter(id -> !id.isEmpty())
                        .map(VolumeId::new),
                Requests.page(request.getMaxEntries(), request.getStartingToken()));
    }

    @Override
    public ListSnapshotsResponse perform(Wanted wanted) {
        var page = wanted.snapshot()
                .map(snapshot -> only(snapshot, wanted.source()))
                .orElseGet(() -> snapshots.list(wanted.source(), wanted.page()));
        return ListSnapshotsResponse.newBuilder()
                .addAllEntries(page.map(ListSnapshots::entry).entries())
                .setNextToken(page.nextToken())
                .build();
    }

    /** A snapshot that is not there makes an empty list, not an error. */
    private Page<Snapshot> only(SnapshotId id, Optional<VolumeId> source) {
        try {
            var snapshot = snapshots.find(id);
            boolean asked = source.isEmpty() || source.get().equals(snapshot.source());
            return new Page<>(asked ? List.of(snapshot) : List.of(), "");
        } catch (StowageException.NotFound gone) {
            return new Page<>(List.of(), "");
        }
    }

    private static ListSnapshotsResponse.Entry entry(Snapshot snapshot) {
        return ListSnapshotsResponse.Entry.newBuilder()
                .setSnapshot(Responses.snapshot(snapshot))
                .build();
    }
}
