package dev.stowage.core.volume;

import dev.stowage.core.id.GroupSnapshotId;
import java.time.Instant;
import java.util.List;

/** Several volumes' content at one and the same instant. */
public record GroupSnapshot(GroupSnapshotId id, List<Snapshot> members, Instant takenAt) {

    public GroupSnapshot {
        members = List.copyOf(members);
    }

    public boolean ready() {
        return members.stream().allMatch(Snapshot::ready);
    }
}
