package dev.stowage.backend.local.pool;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import dev.stowage.backend.local.record.FreezeRecord;
import dev.stowage.backend.local.record.GroupRecord;
import dev.stowage.backend.local.record.SnapshotRecord;
import dev.stowage.backend.local.record.VolumeRecord;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.GroupSnapshotId;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.core.id.VolumeId;
import dev.stowage.linux.record.Change;
import dev.stowage.linux.record.RecordLog;
import dev.stowage.linux.record.RecordLogException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * What is on record about a pool, in memory for reading and durable before a change shows.
 *
 * <p>Readers see only what has reached the disk. Writers of one thing hold its lane, so a record never changes under its writer.
 */
public final class PoolRecords implements AutoCloseable {

    private static final String VOLUME = "volume/";
    private static final String SNAPSHOT = "snapshot/";
    private static final String GROUP = "group/";
    private static final String FREEZE = "freeze/";

    private final RecordLog log;
    private final NavigableMap<VolumeId, VolumeRecord> volumes = new ConcurrentSkipListMap<>();
    private final NavigableMap<SnapshotId, SnapshotRecord> snapshots = new ConcurrentSkipListMap<>();
    private final NavigableMap<GroupSnapshotId, GroupRecord> groups = new ConcurrentSkipListMap<>();
    private final Map<String, FreezeRecord> freezes = new ConcurrentHashMap<>();
    private final Map<String, VolumeId> volumeNames = new ConcurrentHashMap<>();
    private final Map<String, SnapshotId> snapshotNames = new ConcurrentHashMap<>();
    private final Map<String, GroupSnapshotId> groupNames = new ConcurrentHashMap<>();

    private PoolRecords(RecordLog log) {
        this.log = log;
    }

    public static PoolRecords open(Pool pool) {
        var log = RecordLog.open(pool.controllerRecords(), "the controller role of this pool");
        try {
            var records = new PoolRecords(log);
            for (var entry : log.takeInitial().entrySet()) {
                records.show(entry.getKey(), parse(entry.getKey(), entry.getValue()));
            }
            return records;
        } catch (InvalidProtocolBufferException unreadable) {
            log.close();
            throw StowageException.internal(
                    unreadable, "pool %s: a record cannot be read; was it written by a newer version?", pool.path());
        }
    }

    private static MessageLite parse(String key, byte[] value) throws InvalidProtocolBufferException {
        if (key.startsWith(VOLUME)) {
            return VolumeRecord.parseFrom(value);
        }
        if (key.startsWith(SNAPSHOT)) {
            return SnapshotRecord.parseFrom(value);
        }
        if (key.startsWith(GROUP)) {
            return GroupRecord.parseFrom(value);
        }
        if (key.startsWith(FREEZE)) {
            return FreezeRecord.parseFrom(value);
        }
        throw StowageException.internal("record '%s' is of no known kind; was it written by a newer version?", key);
    }

    public NavigableMap<VolumeId, VolumeRecord> volumes() {
        return volumes;
    }

    public NavigableMap<SnapshotId, SnapshotRecord> snapshots() {
        return snapshots;
    }

    public NavigableMap<GroupSnapshotId, GroupRecord> groups() {
        return groups;
    }

    /** Filesystems that may be frozen, by the name of the freeze. */
    public Map<String, FreezeRecord> freezes() {
        return freezes;
    }

    public Optional<VolumeRecord> volumeNamed(String name) {
        return Optional.ofNullable(volumeNames.get(name)).map(volumes::get);
    }

    public Optional<SnapshotRecord> snapshotNamed(String name) {
        return Optional.ofNullable(snapshotNames.get(name)).map(snapshots::get);
    }

    public Optional<GroupRecord> groupNamed(String name) {
        return Optional.ofNullable(groupNames.get(name)).map(groups::get);
    }

    /** Begins a set of changes that reach the disk together or not at all. */
    public Batch batch() {
        return new Batch();
    }

    public void put(VolumeRecord record) {
        batch().put(record).commit();
    }

    public void remove(VolumeRecord record) {
        batch().remove(record).commit();
    }

    public void put(SnapshotRecord record) {
        batch().put(record).commit();
    }

    public void remove(SnapshotRecord record) {
        batch().remove(record).commit();
    }

    /** Changes that are made together. */
    public final class Batch {

        private record Pending(String key, @Nullable MessageLite record) {}

        private final List<Pending> pending = new ArrayList<>();

        public Batch put(VolumeRecord record) {
            return add(VOLUME + record.getId(), record);
        }

        public Batch remove(VolumeRecord record) {
            return add(VOLUME + record.getId(), null);
        }

        public Batch put(SnapshotRecord record) {
            return add(SNAPSHOT + record.getId(), record);
        }

        public Batch remove(SnapshotRecord record) {
            return add(SNAPSHOT + record.getId(), null);
        }

        public Batch put(GroupRecord record) {
            return add(GROUP + record.getId(), record);
        }

        public Batch remove(GroupRecord record) {
            return add(GROUP + record.getId(), null);
        }

        public Batch put(String freeze, FreezeRecord record) {
            return add(FREEZE + freeze, record);
        }

        public Batch removeFreeze(String freeze) {
            return add(FREEZE + freeze, null);
        }

        private Batch add(String key, @Nullable MessageLite record) {
            pending.add(new Pending(key, record));
            return this;
        }

        public void commit() {
            var changes = new ArrayList<Change>(pending.size());
            for (var change : pending) {
                changes.add(
                        change.record() == null
                                ? new Change.Remove(change.key())
                                : new Change.Put(change.key(), change.record().toByteArray()));
            }
            try {
                log.commit(changes);
            } catch (RecordLogException failure) {
                throw StowageException.unavailable(failure, "%s", failure.getMessage());
            }
            pending.forEach(change -> show(change.key(), change.record()));
        }
    }

    private void show(String key, @Nullable MessageLite record) {
        switch (record) {
            case VolumeRecord volume -> {
                var id = new VolumeId(volume.getId());
                volumes.put(id, volume);
                volumeNames.put(volume.getName(), id);
            }
            case SnapshotRecord snapshot -> {
                var id = new SnapshotId(snapshot.getId());
                snapshots.put(id, snapshot);
                if (!snapshot.getName().isEmpty()) {
                    snapshotNames.put(snapshot.getName(), id);
                }
            }
            case GroupRecord group -> {
                var id = new GroupSnapshotId(group.getId());
                groups.put(id, group);
                groupNames.put(group.getName(), id);
            }
            case FreezeRecord freeze -> freezes.put(key.substring(FREEZE.length()), freeze);
            case null, default -> hide(key);
        }
    }

    private void hide(String key) {
        if (key.startsWith(VOLUME)) {
            var gone = volumes.remove(new VolumeId(key.substring(VOLUME.length())));
            if (gone != null) {
                volumeNames.remove(gone.getName());
            }
        } else if (key.startsWith(SNAPSHOT)) {
            var gone = snapshots.remove(new SnapshotId(key.substring(SNAPSHOT.length())));
            if (gone != null) {
                snapshotNames.remove(gone.getName());
            }
        } else if (key.startsWith(GROUP)) {
            var gone = groups.remove(new GroupSnapshotId(key.substring(GROUP.length())));
            if (gone != null) {
                groupNames.remove(gone.getName());
            }
        } else {
            freezes.remove(key.substring(FREEZE.length()));
        }
    }

    @Override
    public void close() {
        log.close();
    }
}
