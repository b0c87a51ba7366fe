package dev.stowage.array.service;

import dev.stowage.array.journal.Ids;
import dev.stowage.array.record.LifeState;
import dev.stowage.array.record.VolumeRecord;
import dev.stowage.core.volume.Sizes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Volumes: made, found, grown, renamed, deleted into the recycle bin and out of it. */
public final class Volumes {

    /** What the tools for xfs make. */
    private static final long SMALLEST_SHARE = 300 * Sizes.MIB;

    private static final Logger log = LoggerFactory.getLogger(Volumes.class);
    private static final Duration KEPT_IN_BIN = Duration.ofDays(7);

    private final Parts parts;
    private final Attachments attachments;
    private final PoolSpace space;
    private final boolean recycles;
    private final ExportNames exports;

    public Volumes(Parts parts, Attachments attachments, PoolSpace space, boolean recycles) {
        this.parts = parts;
        this.attachments = attachments;
        this.space = space;
        this.recycles = recycles;
        this.exports = new ExportNames(parts);
    }

    /**
     * What a new volume is to be.
     *
     * @param shared a filesystem, rather than a disk
     */
    public record Wish(String name, String capacity, String pool, boolean shared, Map<String, String> options) {}

    public VolumeRecord create(Wish wish) {
        var name = Checks.name("name", wish.name());
        long bytes = Checks.capacity(wish.capacity());
        PoolSpace.requirePool(wish.pool());
        if (wish.shared()) {
            return createShared(name, bytes, wish.options());
        }
        try (var _ = parts.lanes().enter("creating volume " + name, List.of(Parts.nameLane("volume", name)))) {
            requireFree(name);
            space.requireRoom(name);
            var kind = new Kind(false, wish.options().getOrDefault("export_name", ""), wish.options());
            return make(name, bytes, kind, id -> parts.store().create(id, bytes));
        }
    }

    private VolumeRecord createShared(String name, long bytes, Map<String, String> options) {
        parts.shares().requireAvailable();
        if (bytes < SMALLEST_SHARE) {
            throw Refusal.invalid("capacity: a volume with block=NO has at least %s", Sizes.text(SMALLEST_SHARE));
        }
        Checks.account("nfsanonuid", options.get("nfsanonuid"));
        Checks.account("nfsanongid", options.get("nfsanongid"));
        try (var _ = parts.lanes()
                .enter("creating volume " + name, List.of(Parts.nameLane("volume", name), ExportNames.ANY))) {
            requireFree(name);
            space.requireRoom(name);
            return make(name, bytes, new Kind(true, exports.choose(name, options.get("export_name")), options), id -> {
                parts.store().create(id, bytes);
                parts.shares().format(parts.store().path(id));
            });
        }
    }

    ExportNames exports() {
        return exports;
    }

    /** What a volume is beside its name and size. */
    record Kind(boolean shared, String exportName, Map<String, String> options) {}

    /** Makes the bytes of a volume whose wish is on record. */
    interface Filling {
        void fill(String id);
    }

    /** The record first, then the bytes; a failure takes both back. The caller holds the lane of the name. */
    VolumeRecord make(String name, long bytes, Kind kind, Filling filling) {
        long now = parts.clock().millis();
        var id = parts.journal().nextId(Ids.VOLUME);
        var wanted = VolumeRecord.newBuilder()
                .setId(id)
                .setGroup(parts.journal().nextId(Ids.GROUP))
                .setDisplayName(name)
                .setState(LifeState.CREATING)
                .setSizeBytes(bytes)
                .putAllOptions(kind.options())
                .setShared(kind.shared())
                .setExportName(kind.shared() && kind.exportName().isEmpty() ? id : kind.exportName())
                .setCreatedAtMillis(now)
                .setModifiedAtMillis(now)
                .build();
        parts.journal().put(wanted);
        try {
            filling.fill(wanted.getId());
        } catch (RuntimeException failure) {
            discard(wanted);
            throw failure;
        }
        var made = wanted.toBuilder().setState(LifeState.READY).build();
        parts.journal().put(made);
        return made;
    }

    /** The volumes that callers see, in the order they were made. */
    public Stream<VolumeRecord> all() {
        return parts.journal().volumes().values().stream()
                .filter(volume -> volume.getState() == LifeState.READY && volume.getRecycledAtMillis() == 0);
    }

    public Stream<VolumeRecord> recycled() {
        return parts.journal().volumes().values().stream()
                .filter(volume -> volume.getState() == LifeState.READY && volume.getRecycledAtMillis() != 0);
    }

    public VolumeRecord find(String id) {
        return parts.volume(id);
    }

    /** Adds to the size; the capacity is not the new size but what comes on top. */
    public VolumeRecord expand(String id, String capacity) {
        long more = Checks.capacity(capacity);
        try (var _ = attachments.enterWithServers("expanding " + id, id)) {
            var volume = parts.volume(id);
            space.requireRoomToGrow(id);
            long size = Math.addExact(volume.getSizeBytes(), more);
            Checks.capacity(size / Sizes.MIB + "M");
            var growing = volume.toBuilder().setGrowingToBytes(size).build();
            parts.journal().put(growing);
            try {
                parts.store().grow(id, size);
            } catch (RuntimeException failure) {
                parts.journal().put(volume);
                throw failure;
            }
            return finishGrowth(growing);
        }
    }

    /** Growth goes on record before it happens, and a crash in between ends in the larger size. */
    VolumeRecord finishGrowth(VolumeRecord growing) {
        long size = growing.getGrowingToBytes();
        parts.store().grow(growing.getId(), size);
        var larger = growing.toBuilder()
                .setSizeBytes(size)
                .setModifiedAtMillis(parts.clock().millis())
                .build();
        parts.journal().put(larger);
        // Still on record as growing: after a crash here, the target would go on with the old size.
        attachments.renew(larger);
        var grown = larger.toBuilder().clearGrowingToBytes().build();
        parts.journal().put(grown);
        return grown;
    }

    public VolumeRecord rename(String id, String newName) {
        var name = Checks.name("new_name", newName);
        try (var _ = parts.lanes().enter("renaming " + id, List.of(Parts.lane(id), Parts.nameLane("volume", name)))) {
            if (parts.volume(id).getDisplayName().equals(name)) {
                return parts.volume(id);
            }
            requireFree(name);
            return change(id, volume -> volume.setDisplayName(name));
        }
    }

    public VolumeRecord comment(String id, String comment) {
        var text = Checks.comment(comment);
        try (var _ = parts.lanes().enter("commenting " + id, List.of(Parts.lane(id)))) {
            return change(id, volume -> volume.setComment(text));
        }
    }

    public VolumeRecord exportName(String id, String name) {
        var text = Checks.name("exportname", name);
        try (var _ = parts.lanes().enter("naming the export of " + id, List.of(Parts.lane(id), ExportNames.ANY))) {
            var volume = parts.volume(id);
            if (volume.getShared()) {
                exports.requireFree(id, Checks.exportName(name));
                if (volume.getAttachmentsCount() > 0 && !volume.getExportName().equals(name)) {
                    throw Refusal.of(
                            Status.IN_USE,
                            "volume %s is attached, and its clients know it as %s; detach it first",
                            id,
                            volume.getExportName());
                }
            }
            return change(id, record -> record.setExportName(text));
        }
    }

    private VolumeRecord change(String id, UnaryOperator<VolumeRecord.Builder> change) {
        var changed = change.apply(parts.volume(id).toBuilder())
                .setModifiedAtMillis(parts.clock().millis())
                .build();
        parts.journal().put(changed);
        return changed;
    }

    /**
     * Deletes into the recycle bin, or for good where there is none.
     *
     * @param force detaches it first, from whoever uses it
     */
    public void delete(String id, boolean force) {
        try (var _ = attachments.enterWithServers("deleting " + id, id)) {
            var volume = parts.volume(id);
            requireNoSnapshots(volume);
            if (volume.getAttachmentsCount() > 0) {
                if (!force) {
                    throw Refusal.of(
                            Status.IN_USE,
                            "volume %s is attached to %s; detach it first",
                            id,
                            volume.getAttachments(0).getServer());
                }
                volume = attachments.fence(volume);
            }
            if (recycles) {
                parts.journal()
                        .put(volume.toBuilder()
                                .setRecycledAtMillis(parts.clock().millis())
                                .build());
            } else {
                discard(volume);
            }
        }
    }

    /** Deletes what is in the recycle bin for good. */
    public void purge(String id) {
        try (var _ = parts.lanes().enter("purging " + id, List.of(Parts.lane(id)))) {
            var volume = parts.journal().volumes().get(id);
            if (volume == null || volume.getRecycledAtMillis() == 0) {
                throw Refusal.of(Status.VOLUME_NOT_FOUND, "volume %s was not found in the recycle bin", id);
            }
            discard(volume);
        }
    }

    /** Deletes for good what has been in the recycle bin for as long as things are kept there. */
    public void purgeExpired() {
        long last = parts.clock().millis() - KEPT_IN_BIN.toMillis();
        for (VolumeRecord volume :
                recycled().filter(each -> each.getRecycledAtMillis() <= last).toList()) {
            log.info(
                    "volume {} was in the recycle bin for {} days, and is deleted",
                    volume.getId(),
                    KEPT_IN_BIN.toDays());
            try {
                purge(volume.getId());
            } catch (Refusal gone) {
                log.info("{}", gone.getMessage());
            }
        }
    }

    void discard(VolumeRecord volume) {
        parts.journal().put(volume.toBuilder().setState(LifeState.DELETING).build());
        if (volume.getShared()) {
            parts.shares().withdraw(volume.getId());
        }
        parts.store().remove(volume.getId());
        parts.journal().remove(volume);
    }

    void requireFree(String name) {
        all().filter(volume -> volume.getDisplayName().equals(name)).findFirst().ifPresent(volume -> {
            throw Refusal.of(Status.NAME_TAKEN, "the name %s is taken by volume %s", name, volume.getId());
        });
    }

    private void requireNoSnapshots(VolumeRecord volume) {
        var snapshots = parts.journal().snapshotsOf(volume.getId());
        if (!snapshots.isEmpty()) {
            throw Refusal.of(
                    Status.IN_USE,
                    "volume %s has snapshots, %s among them; delete them first",
                    volume.getId(),
                    snapshots.iterator().next());
        }
    }
}
