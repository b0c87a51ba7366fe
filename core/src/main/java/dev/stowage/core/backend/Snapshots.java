package dev.stowage.core.backend;

import dev.stowage.core.id.RequestName;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.page.Page;
import dev.stowage.core.page.PageRequest;
import dev.stowage.core.volume.Snapshot;
import dev.stowage.core.volume.TopologyRequirement;
import java.util.Map;
import java.util.Optional;

/** A volume's content is kept as it is now. */
public interface Snapshots {

    record Wanted(RequestName name, VolumeId source, Map<String, String> parameters, TopologyRequirement topology) {
        public Wanted {
            parameters = Map.copyOf(parameters);
        }
    }

    Snapshot create(Wanted wanted);

    void delete(SnapshotId snapshot);

    Snapshot find(SnapshotId snapshot);

    Page<Snapshot> list(Optional<VolumeId> source, PageRequest page);
}
