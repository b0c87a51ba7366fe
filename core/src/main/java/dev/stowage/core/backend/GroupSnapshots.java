package dev.stowage.core.backend;

import dev.stowage.core.id.GroupSnapshotId;
import dev.stowage.core.id.RequestName;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.GroupSnapshot;
import java.util.List;
import java.util.Map;

/** Several volumes are kept as they are at one instant. */
public interface GroupSnapshots {

    record Wanted(RequestName name, List<VolumeId> sources, Map<String, String> parameters) {
        public Wanted {
            sources = List.copyOf(sources);
            parameters = Map.copyOf(parameters);
        }
    }

    GroupSnapshot create(Wanted wanted);

    /** Removes the group with all its members; {@code members} must be exactly those it has. A group that is gone is fine. */
    void delete(GroupSnapshotId group, List<SnapshotId> members);

    GroupSnapshot find(GroupSnapshotId group, List<SnapshotId> members);
}
