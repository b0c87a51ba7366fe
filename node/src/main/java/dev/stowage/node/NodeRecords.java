package dev.stowage.node;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.TargetPath;
import dev.stowage.core.id.VolumeId;
import dev.stowage.linux.record.Change;
import dev.stowage.linux.record.RecordLog;
import dev.stowage.node.record.FilesystemRecord;
import dev.stowage.node.record.PublishRecord;
import dev.stowage.node.record.StageRecord;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What this node remembers of its volumes, across restarts.
 *
 * <p>Changes to one volume come one after another, because its lane is held; different volumes never wait for each other. A change
 * that only makes a record less true when it is lost, such as forgetting what the kernel knows to be gone, can be deferred: it is seen
 * at once and becomes durable with the volume's next change.
 */
public final class NodeRecords implements AutoCloseable {

    private static final String STAGE = "stage";
    private static final String PUBLISH = "publish";
    private static final String FILESYSTEM = "filesystem";
    private static final int HASH_DIGITS = 32;

    private final RecordLog log;
    private final Map<VolumeId, VolumeRecords> volumes = new ConcurrentHashMap<>();
    private final Map<VolumeId, Map<String, Change>> deferred = new ConcurrentHashMap<>();

    /** Takes over a log that holds nothing but these records. */
    public NodeRecords(RecordLog log) {
        this(log, log.takeInitial());
    }

    /** Shares a log with others, whose records in {@code initial} are left alone. */
    public NodeRecords(RecordLog log, Map<String, byte[]> initial) {
        this.log = log;
        initial.forEach(this::load);
    }

    /** Opens the records in a file; {@code owner} says who has them open, for those who find them occupied. */
    public static NodeRecords open(Path file, String owner) {
        return new NodeRecords(RecordLog.open(file, owner));
    }

    private void load(String key, byte[] value) {
        var parts = key.split("/", -1);
        try {
            switch (parts[0]) {
                case STAGE -> {
                    var record = StageRecord.parseFrom(value);
                    volumes.compute(
                            new VolumeId(parts[1]),
                            (id, now) -> VolumeRecords.orNone(now).withStage(Optional.of(record)));
                }
                case FILESYSTEM -> {
                    var record = FilesystemRecord.parseFrom(value);
                    volumes.compute(
                            new VolumeId(parts[1]),
                            (id, now) -> VolumeRecords.orNone(now).withFilesystem(Optional.of(record)));
                }
                case PUBLISH -> {
                    var record = PublishRecord.parseFrom(value);
                    volumes.compute(
                            new VolumeId(parts[1]),
                            (id, now) -> VolumeRecords.orNone(now).withPublication(record));
                }
                default -> {
                    // another module's record in a shared log
                }
            }
        } catch (InvalidProtocolBufferException damaged) {
            throw StowageException.internal(
                    damaged, "record %s cannot be read; it was written by another version or is damaged", key);
        }
    }

    Optional<StageRecord> stage(VolumeId volume) {
        return of(volume).stage();
    }

    Optional<FilesystemRecord> filesystem(VolumeId volume) {
        return of(volume).filesystem();
    }

    Optional<PublishRecord> publication(VolumeId volume, TargetPath target) {
        return Optional.ofNullable(of(volume).publications().get(target.value()));
    }

    Collection<PublishRecord> publications(VolumeId volume) {
        return of(volume).publications().values();
    }

    /** Every volume of which anything is remembered. */
    public Set<VolumeId> volumes() {
        return Set.copyOf(volumes.keySet());
    }

    private VolumeRecords of(VolumeId volume) {
        return volumes.getOrDefault(volume, VolumeRecords.NONE);
    }

    Edit edit(VolumeId volume) {
        return new Edit(volume, of(volume));
    }

    /** Makes every deferred change durable. No other change may be under way. */
    void flush() {
        var changes = new ArrayList<Change>();
        deferred.values().forEach(some -> changes.addAll(some.values()));
        if (!changes.isEmpty()) {
            log.commit(changes);
            deferred.clear();
        }
    }

    @Override
    public void close() {
        try {
            flush();
        } finally {
            log.close();
        }
    }

    private static String publishKey(VolumeId volume, String target) {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(target.getBytes(StandardCharsets.UTF_8));
            return PUBLISH + "/" + volume + "/"
                    + HexFormat.of().formatHex(digest).substring(0, HASH_DIGITS);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    /** Changes to the records of one volume that take effect together, or not at all. */
    final class Edit {
        private final VolumeId volume;
        private final Map<String, Change> changes = new LinkedHashMap<>();
        private VolumeRecords next;

        private Edit(VolumeId volume, VolumeRecords now) {
            this.volume = volume;
            this.next = now;
        }

        Edit stage(StageRecord record) {
            next = next.withStage(Optional.of(record));
            return put(STAGE + "/" + volume, record);
        }

        Edit dropStage() {
            boolean known = next.stage().isPresent();
            next = next.withStage(Optional.empty());
            return known ? remove(STAGE + "/" + volume) : this;
        }

        Edit filesystem(FilesystemRecord record) {
            next = next.withFilesystem(Optional.of(record));
            return put(FILESYSTEM + "/" + volume, record);
        }

        Edit dropFilesystem() {
            boolean known = next.filesystem().isPresent();
            next = next.withFilesystem(Optional.empty());
            return known ? remove(FILESYSTEM + "/" + volume) : this;
        }

        Edit publication(PublishRecord record) {
            next = next.withPublication(record);
            return put(publishKey(volume, record.getTarget()), record);
        }

        Edit dropPublication(String target) {
            boolean known = next.publications().containsKey(target);
            next = next.withoutPublication(target);
            return known ? remove(publishKey(volume, target)) : this;
        }

        private Edit put(String key, Message record) {
            changes.put(key, new Change.Put(key, record.toByteArray()));
            return this;
        }

        private Edit remove(String key) {
            changes.put(key, new Change.Remove(key));
            return this;
        }

        /** Returns when the changes, and those of this volume that were deferred before, are durable. */
        void commit() {
            var all = new LinkedHashMap<>(deferred.getOrDefault(volume, Map.of()));
            all.putAll(changes);
            if (!all.isEmpty()) {
                log.commit(List.copyOf(all.values()));
                deferred.remove(volume);
            }
            show();
        }

        /** Shows the changes at once and leaves it to the volume's next commit to make them durable. */
        void defer() {
            if (!changes.isEmpty()) {
                deferred.computeIfAbsent(volume, none -> new LinkedHashMap<>()).putAll(changes);
            }
            show();
        }

        private void show() {
            if (next.equals(VolumeRecords.NONE)) {
                volumes.remove(volume);
            } else {
                volumes.put(volume, next);
            }
        }
    }
}
