package dev.stowage.array.service;

import dev.stowage.array.journal.Ids;
import dev.stowage.array.record.LifeState;
import dev.stowage.array.record.SnapshotRecord;
import dev.stowage.array.record.VolumeRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Snapshots and clones, both asked of a consistency group, of which every volume has its own. */
public final class Snapshots {

    private final Parts parts;
    private final Volumes volumes;
    private final PoolSpace space;

    public Snapshots(Parts parts, Volumes volumes, PoolSpace space) {
        this.parts = parts;
        this.volumes = volumes;
        this.space = space;
    }

    public SnapshotRecord create(String group, String displayName) {
        var name = Checks.name("display_name", displayName);
        var source = parts.member(group).getId();
        try (var _ = parts.lanes()
                .enter("taking snapshot " + name, List.of(Parts.lane(source), Parts.nameLane(group, name)))) {
            var volume = parts.volume(source);
            requireStill(volume);
            space.requireRoom(name);
            all().filter(snapshot -> snapshot.getGroup().equals(group)
                            && snapshot.getDisplayName().equals(name))
                    .findFirst()
                    .ifPresent(snapshot -> {
                        throw Refusal.of(
                                Status.NAME_TAKEN, "the name %s is taken by snapshot %s", name, snapshot.getId());
                    });
            return take(volume, name);
        }
    }

    private SnapshotRecord take(VolumeRecord volume, String name) {
        var wanted = SnapshotRecord.newBuilder()
                .setId(parts.journal().nextId(Ids.SNAPSHOT))
                .setDisplayName(name)
                .setState(LifeState.CREATING)
                .setGroup(volume.getGroup())
                .setVolume(volume.getId())
                .setSizeBytes(volume.getSizeBytes())
                .setCreatedAtMillis(parts.clock().millis())
                .build();
        parts.journal().put(wanted);
        try {
            copy(volume, volume.getId(), wanted.getId());
        } catch (RuntimeException failure) {
            discard(wanted);
            throw failure;
        }
        var taken = wanted.toBuilder().setState(LifeState.READY).build();
        parts.journal().put(taken);
        return taken;
    }

    /** Copies the volume or one of its snapshots. What a filesystem has only in memory is written out first. */
    private void copy(VolumeRecord volume, String source, String id) {
        if (volume.getShared() && source.equals(volume.getId())) {
            parts.shares().whileStill(source, () -> parts.store().copy(source, id));
        } else {
            parts.store().copy(source, id);
        }
    }

    public Stream<SnapshotRecord> all() {
        return parts.journal().snapshots().values().stream().filter(snapshot -> snapshot.getState() == LifeState.READY);
    }

    public Stream<SnapshotRecord> of(String group) {
        parts.member(group);
        return all().filter(snapshot -> snapshot.getGroup().equals(group));
    }

    public SnapshotRecord find(String id) {
        return parts.snapshot(id);
    }

    public void delete(String id) {
        try (var _ = parts.lanes().enter("deleting snapshot " + id, List.of(Parts.lane(id)))) {
            discard(parts.snapshot(id));
        }
    }

    void discard(SnapshotRecord snapshot) {
        parts.journal().put(snapshot.toBuilder().setState(LifeState.DELETING).build());
        parts.store().remove(snapshot.getId());
        parts.journal().remove(snapshot);
    }

    /** A volume with what the group's volume, or one of its snapshots, holds. It is independent of both from then on. */
    public VolumeRecord clone(String group, String newName, Optional<String> snapshot) {
        var name = Checks.name("name", newName);
        var source = parts.member(group).getId();
        var object = snapshot.orElse(source);
        try (var _ = parts.lanes()
                .enter(
                        "cloning " + object,
                        List.of(Parts.lane(object), Parts.nameLane("volume", name), ExportNames.ANY))) {
            var volume = parts.volume(source);
            long bytes = volume.getSizeBytes();
            if (snapshot.isPresent()) {
                var record = parts.snapshot(object);
                if (!record.getGroup().equals(group)) {
                    throw Refusal.of(
                            Status.SNAPSHOT_NOT_FOUND, "snapshot %s is not one of consistency group %s", object, group);
                }
                bytes = record.getSizeBytes();
            } else {
                requireStill(volume);
            }
            volumes.requireFree(name);
            space.requireRoom(name);
            var options = new HashMap<>(volume.getOptionsMap());
            options.remove("export_name");
            var export = volume.getShared() ? volumes.exports().choose(name, null) : "";
            return volumes.make(name, bytes, new Volumes.Kind(volume.getShared(), export, options), id -> {
                copy(volume, object, id);
                if (volume.getShared()) {
                    parts.shares().renewIdentity(id, parts.store().path(id));
                }
            });
        }
    }

    /** A copy that takes time would mix what is written meanwhile with what was there before. */
    private void requireStill(VolumeRecord volume) {
        if (!parts.store().copiesInstantly() && volume.getAttachmentsCount() > 0) {
            throw Refusal.of(
                    Status.NOT_POSSIBLE,
                    "volume %s is attached, and this array's filesystem cannot share blocks; detach it first, or keep the array's data on XFS or Btrfs",
                    volume.getId());
        }
    }
}
