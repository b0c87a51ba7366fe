package dev.stowage.backend.local.snapshot;

import dev.stowage.backend.local.record.LifeState;
import dev.stowage.backend.local.record.SnapshotRecord;
import dev.stowage.core.id.GroupSnapshotId;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.Snapshot;
import dev.stowage.core.volume.Topology;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A snapshot's record as the outside sees it. */
final class SnapshotView {

    private static final long NANOS = 1_000_000_000L;

    private SnapshotView() {}

    static Snapshot of(SnapshotRecord record, Topology here) {
        return new Snapshot(
                new SnapshotId(record.getId()),
                new VolumeId(record.getSourceVolume()),
                record.getSizeBytes(),
                instant(record.getTakenAtNanos()),
                record.getState() == LifeState.READY,
                record.getGroup().isEmpty() ? Optional.empty() : Optional.of(new GroupSnapshotId(record.getGroup())),
                List.of(here));
    }

    static Instant instant(long nanos) {
        return Instant.ofEpochSecond(nanos / NANOS, nanos % NANOS);
    }

    static long nanos(Instant instant) {
        return instant.getEpochSecond() * NANOS + instant.getNano();
    }
}
