package dev.stowage.backend.local;

import dev.stowage.backend.local.pool.PoolRecords;
import dev.stowage.backend.local.pool.PoolSpace;
import dev.stowage.core.id.GroupSnapshotId;
import dev.stowage.core.id.RequestName;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.core.id.VolumeId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** An open pool, looked at through its records. */
record RecordedPool(PoolRecords records, PoolSpace poolSpace) implements PoolView {

    @Override
    public Optional<VolumeId> volumeNamed(RequestName name) {
        return records.volumeNamed(name.value()).map(record -> new VolumeId(record.getId()));
    }

    @Override
    public Optional<SnapshotId> snapshotNamed(RequestName name) {
        return records.snapshotNamed(name.value()).map(record -> new SnapshotId(record.getId()));
    }

    @Override
    public Optional<GroupSnapshotId> groupNamed(RequestName name) {
        return records.groupNamed(name.value()).map(record -> new GroupSnapshotId(record.getId()));
    }

    @Override
    public Map<String, String> mutableParameters(VolumeId volume) {
        var record = records.volumes().get(volume);
        return record == null ? Map.of() : record.getVariableParametersMap();
    }

    @Override
    public Set<GroupSnapshotId> groups() {
        return Set.copyOf(records.groups().keySet());
    }

    @Override
    public PoolSpace.State space() {
        return poolSpace.state();
    }

    @Override
    public long available(boolean thick) {
        return poolSpace.available(thick);
    }
}
