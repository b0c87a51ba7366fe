package dev.stowage.core.volume;

import dev.stowage.core.id.GroupSnapshotId;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.core.id.VolumeId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A volume's content at one instant. */
public record Snapshot(
        SnapshotId id,
        VolumeId source,
        long sizeBytes,
        Instant takenAt,
        boolean ready,
        Optional<GroupSnapshotId> group,
        List<Topology> topology) {

    public Snapshot {
        topology = List.copyOf(topology);
    }
}
