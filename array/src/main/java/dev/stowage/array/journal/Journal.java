package dev.stowage.array.journal;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import dev.stowage.array.record.ArrayRecord;
import dev.stowage.array.record.CounterRecord;
import dev.stowage.array.record.ServerRecord;
import dev.stowage.array.record.SnapshotRecord;
import dev.stowage.array.record.VolumeRecord;
import dev.stowage.core.error.StowageException;
import dev.stowage.linux.record.Change;
import dev.stowage.linux.record.RecordLog;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * What is on record, in memory for reading and durable before a change shows.
 *
 * <p>Writers of one thing hold its lane, so a record never changes under its writer.
 */
public final class Journal implements AutoCloseable {

    private static final String ARRAY = "array";
    private static final String VOLUME = "volume/";
    private static final String SERVER = "server/";
    private static final String SNAPSHOT = "snapshot/";
    private static final int NUMBERS_AT_ONCE = 64;

    private final RecordLog log;
    private final NavigableMap<String, VolumeRecord> volumes = new ConcurrentSkipListMap<>();
    private final NavigableMap<String, ServerRecord> servers = new ConcurrentSkipListMap<>();
    private final NavigableMap<String, SnapshotRecord> snapshots = new ConcurrentSkipListMap<>();
    /** The snapshots of each volume that has some. */
    private final Map<String, Set<String>> snapshotsByVolume = new ConcurrentHashMap<>();

    private final Map<Ids, Numbers> counters = new EnumMap<>(Ids.class);
    private volatile @Nullable ArrayRecord array;

    /** Numbers are reserved on disk by the dozen; those that a crash leaves over are never used. */
    private static final class Numbers {
        private long next = 1;
        private long reserved = 1;
    }

    private Journal(RecordLog log) {
        this.log = log;
        for (Ids kind : Ids.values()) {
            counters.put(kind, new Numbers());
        }
    }

    public static Journal open(Path file) {
        var log = RecordLog.open(file, "an array");
        try {
            var journal = new Journal(log);
            for (var entry : log.takeInitial().entrySet()) {
                journal.load(entry.getKey(), entry.getValue());
            }
            return journal;
        } catch (InvalidProtocolBufferException unreadable) {
            log.close();
            throw StowageException.internal(
                    unreadable, "%s: a record cannot be read; was it written by a newer version?", file);
        } catch (RuntimeException failure) {
            log.close();
            throw failure;
        }
    }

    private void load(String key, byte[] value) throws InvalidProtocolBufferException {
        if (key.startsWith(VOLUME)) {
            show(key, VolumeRecord.parseFrom(value));
        } else if (key.startsWith(SERVER)) {
            show(key, ServerRecord.parseFrom(value));
        } else if (key.startsWith(SNAPSHOT)) {
            show(key, SnapshotRecord.parseFrom(value));
        } else if (key.equals(ARRAY)) {
            show(key, ArrayRecord.parseFrom(value));
        } else {
            loadCounter(key, CounterRecord.parseFrom(value).getNext());
        }
    }

    private void loadCounter(String key, long next) {
        for (var counter : counters.entrySet()) {
            if (counter.getKey().key().equals(key)) {
                counter.getValue().next = next;
                counter.getValue().reserved = next;
                return;
            }
        }
        throw StowageException.internal("record '%s' is of no known kind; was it written by a newer version?", key);
    }

    public Optional<ArrayRecord> array() {
        return Optional.ofNullable(array);
    }

    public NavigableMap<String, VolumeRecord> volumes() {
        return volumes;
    }

    public NavigableMap<String, ServerRecord> servers() {
        return servers;
    }

    public NavigableMap<String, SnapshotRecord> snapshots() {
        return snapshots;
    }

    /** The ids of a volume's snapshots, also of those that are being made or deleted. */
    public Set<String> snapshotsOf(String volume) {
        return snapshotsByVolume.getOrDefault(volume, Set.of());
    }

    /** An id that was never given out before. */
    public String nextId(Ids kind) {
        var numbers = Objects.requireNonNull(counters.get(kind));
        synchronized (numbers) {
            if (numbers.next == numbers.reserved) {
                long reserved = numbers.reserved + NUMBERS_AT_ONCE;
                var record = CounterRecord.newBuilder().setNext(reserved).build();
                log.commit(List.of(new Change.Put(kind.key(), record.toByteArray())));
                numbers.reserved = reserved;
            }
            return kind.of(numbers.next++);
        }
    }

    public void put(ArrayRecord record) {
        commit(ARRAY, record);
    }

    public void put(VolumeRecord record) {
        commit(VOLUME + record.getId(), record);
    }

    public void put(ServerRecord record) {
        commit(SERVER + record.getId(), record);
    }

    public void put(SnapshotRecord record) {
        commit(SNAPSHOT + record.getId(), record);
    }

    public void remove(VolumeRecord record) {
        commit(VOLUME + record.getId(), null);
    }

    public void remove(ServerRecord record) {
        commit(SERVER + record.getId(), null);
    }

    public void remove(SnapshotRecord record) {
        commit(SNAPSHOT + record.getId(), null);
    }

    private void commit(String key, @Nullable MessageLite record) {
        log.commit(List.of(record == null ? new Change.Remove(key) : new Change.Put(key, record.toByteArray())));
        show(key, record);
    }

    private void show(String key, @Nullable MessageLite record) {
        switch (record) {
            case VolumeRecord volume -> volumes.put(volume.getId(), volume);
            case ServerRecord server -> servers.put(server.getId(), server);
            case SnapshotRecord snapshot -> {
                snapshots.put(snapshot.getId(), snapshot);
                snapshotsByVolume
                        .computeIfAbsent(snapshot.getVolume(), volume -> ConcurrentHashMap.newKeySet())
                        .add(snapshot.getId());
            }
            case ArrayRecord own -> array = own;
            case null, default -> hide(key);
        }
    }

    private void hide(String key) {
        if (key.startsWith(VOLUME)) {
            volumes.remove(key.substring(VOLUME.length()));
        } else if (key.startsWith(SERVER)) {
            servers.remove(key.substring(SERVER.length()));
        } else {
            var gone = snapshots.remove(key.substring(SNAPSHOT.length()));
            if (gone != null) {
                snapshotsByVolume.computeIfPresent(gone.getVolume(), (volume, ids) -> {
                    ids.remove(gone.getId());
                    return ids.isEmpty() ? null : ids;
                });
            }
        }
    }

    @Override
    public void close() {
        log.close();
    }
}
