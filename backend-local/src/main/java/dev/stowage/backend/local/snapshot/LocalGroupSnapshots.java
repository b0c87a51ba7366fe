package dev.stowage.backend.local.snapshot;

import dev.stowage.backend.local.pool.Pool;
import dev.stowage.backend.local.pool.PoolRecords;
import dev.stowage.backend.local.pool.PoolSpace;
import dev.stowage.backend.local.pool.PoolSpace.Demand;
import dev.stowage.backend.local.record.GroupRecord;
import dev.stowage.backend.local.record.LifeState;
import dev.stowage.backend.local.record.SnapshotRecord;
import dev.stowage.backend.local.record.VolumeRecord;
import dev.stowage.backend.local.volume.LiveUse;
import dev.stowage.backend.local.volume.VolumeFiles;
import dev.stowage.backend.local.volume.VolumeParameters;
import dev.stowage.core.backend.GroupSnapshots;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.GroupSnapshotId;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.GroupSnapshot;
import dev.stowage.core.volume.Topology;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.file.FileHandle;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Snapshots of several volumes at one instant.
 *
 * <p>All their filesystems are frozen, all their files are shared, then all are thawed: no write falls between two members. What
 * cannot be taken so is refused, because a group that was not taken at one instant is worse than none.
 */
public final class LocalGroupSnapshots implements GroupSnapshots {

    private final Pool pool;
    private final PoolRecords records;
    private final PoolSpace space;
    private final Freezer freezer;
    private final Topology here;

    public LocalGroupSnapshots(Pool pool, PoolRecords records, PoolSpace space, Freezer freezer, Topology here) {
        this.pool = pool;
        this.records = records;
        this.space = space;
        this.freezer = freezer;
        this.here = here;
    }

    @Override
    public GroupSnapshot create(Wanted wanted) {
        VolumeParameters.requireNone("a group snapshot", wanted.parameters());
        var existing = records.groupNamed(wanted.name().value()).flatMap(this::settle);
        if (existing.isPresent()) {
            return requireSameWish(existing.get(), wanted);
        }
        var sources = new ArrayList<VolumeRecord>();
        for (VolumeId source : wanted.sources()) {
            var record = records.volumes().get(source);
            if (record == null || record.getState() != LifeState.READY) {
                throw StowageException.notFound("volume %s does not exist", source);
            }
            sources.add(record);
        }
        requireOneInstant(wanted);
        var group = GroupRecord.newBuilder()
                .setId("group-" + UUID.randomUUID().toString().replace("-", ""))
                .setName(wanted.name().value())
                .setState(LifeState.CREATING);
        var members = new ArrayList<SnapshotRecord>();
        long promised = 0;
        long owed = 0;
        for (VolumeRecord source : sources) {
            boolean thick = VolumeParameters.thick(source.getVariableParametersMap());
            var member = SnapshotRecord.newBuilder()
                    .setId("snap-" + UUID.randomUUID().toString().replace("-", ""))
                    .setState(LifeState.CREATING)
                    .setSourceVolume(source.getId())
                    .setSizeBytes(source.getSizeBytes())
                    .setGroup(group.getId())
                    .setSourceThick(thick)
                    .putAllSourceContext(source.getContextMap())
                    .build();
            members.add(member);
            group.addMembers(member.getId()).addSources(source.getId());
            promised += member.getSizeBytes();
            owed += LocalSnapshots.owed(pool, member);
        }
        try (var claim = space.claim("group snapshot '" + wanted.name() + "'", new Demand(promised, owed, 0))) {
            var ready = take(group.build(), members, wanted.sources());
            claim.keep();
            return ready;
        }
    }

    /** Refuses what could not be taken at one instant. */
    private void requireOneInstant(Wanted wanted) {
        if (!pool.sharesBlocks()) {
            throw StowageException.notPossible(
                    "group snapshot '%s': pool %s cannot share blocks, so its members would be copied one after the other and not be of"
                            + " one instant. Use a pool on xfs or btrfs, or give the directory a pool image",
                    wanted.name(), pool.path());
        }
        for (VolumeId source : wanted.sources()) {
            if (LiveUse.of(pool, source)
                    .filter(use -> use.rawDevice() && !use.readOnly())
                    .isPresent()) {
                throw StowageException.notPossible(
                        "group snapshot '%s': volume %s is in use as a raw device, whose writers cannot be held up; stop its user"
                                + " first, or snapshot it alone",
                        wanted.name(), source);
            }
        }
    }

    private GroupSnapshot take(GroupRecord wish, List<SnapshotRecord> members, List<VolumeId> sources) {
        var intent = records.batch().put(wish);
        members.forEach(intent::put);
        intent.commit();
        String what = "group snapshot '" + wish.getName() + "'";
        try {
            Instant takenAt = shareAtOneInstant(members, sources);
            var group = wish.toBuilder()
                    .setState(LifeState.READY)
                    .setTakenAtNanos(SnapshotView.nanos(takenAt))
                    .build();
            var done = records.batch().put(group);
            for (SnapshotRecord member : members) {
                done.put(member.toBuilder()
                        .setState(LifeState.READY)
                        .setTakenAtNanos(SnapshotView.nanos(takenAt))
                        .build());
            }
            done.commit();
            return view(group);
        } catch (SyscallException failure) {
            undo(wish);
            throw VolumeFiles.explained(what, pool, failure);
        } catch (StowageException failure) {
            undo(wish);
            throw failure;
        }
    }

    private Instant shareAtOneInstant(List<SnapshotRecord> members, List<VolumeId> sources) {
        var opened = new ArrayList<FileHandle>();
        try {
            // Everything that can be done beforehand is, so that writers wait for the sharing alone.
            for (SnapshotRecord member : members) {
                opened.add(Pool.open(pool.volumes(), member.getSourceVolume(), false)
                        .orElseThrow(() -> StowageException.internal(
                                "volume %s: its file is gone, its data is lost", member.getSourceVolume())));
                opened.add(pool.snapshots().create(member.getId()));
            }
            Instant takenAt;
            try (var frozen = freezer.freeze(sources)) {
                takenAt = Instant.now();
                for (int i = 0; i < opened.size(); i += 2) {
                    opened.get(i + 1).cloneFrom(opened.get(i));
                }
                frozen.thawOnTime();
            }
            for (int i = 0; i < opened.size(); i += 2) {
                opened.get(i + 1).sync();
            }
            pool.snapshots().sync();
            return takenAt;
        } finally {
            opened.forEach(FileHandle::close);
        }
    }

    private GroupSnapshot requireSameWish(GroupRecord existing, Wanted wanted) {
        var asked = wanted.sources().stream().map(VolumeId::value).toList();
        if (!new HashSet<>(existing.getSourcesList()).equals(new HashSet<>(asked))) {
            throw StowageException.alreadyExists(
                    "group snapshot '%s' exists as %s of other volumes, %s; use another name, or delete it first",
                    existing.getName(), existing.getId(), existing.getSourcesList());
        }
        return view(existing);
    }

    /** Undoes what a crash or a failure left half done. Empty when nothing remains of it. */
    public Optional<GroupRecord> settle(GroupRecord record) {
        return switch (record.getState()) {
            case READY -> Optional.of(record);
            case CREATING, DELETING -> {
                undo(record);
                yield Optional.empty();
            }
            case LIFE_STATE_UNSPECIFIED, UNRECOGNIZED ->
                throw StowageException.internal(
                        "group snapshot %s is in a state that this version does not know; was it written by a newer one?",
                        record.getId());
        };
    }

    private void undo(GroupRecord group) {
        var gone = records.batch();
        for (String member : group.getMembersList()) {
            VolumeFiles.remove(pool.snapshots(), member);
            gone.remove(SnapshotRecord.newBuilder().setId(member).build());
        }
        gone.remove(group).commit();
    }

    @Override
    public void delete(GroupSnapshotId id, List<SnapshotId> members) {
        var group = records.groups().get(id);
        if (group == null) {
            return;
        }
        requireMembers(group, members);
        var counted = memberRecords(group);
        if (group.getState() == LifeState.READY) {
            group = group.toBuilder().setState(LifeState.DELETING).build();
            // The members stop being usable in the same moment as the group.
            var intent = records.batch().put(group);
            counted.forEach(member ->
                    intent.put(member.toBuilder().setState(LifeState.DELETING).build()));
            intent.commit();
        }
        boolean wasCounted = group.getState() == LifeState.DELETING;
        try {
            undo(group);
        } catch (SyscallException failure) {
            throw VolumeFiles.explained("group snapshot " + id, pool, failure);
        }
        if (wasCounted) {
            counted.forEach(member -> LocalSnapshots.forget(pool, space, member));
        }
    }

    private List<SnapshotRecord> memberRecords(GroupRecord group) {
        return group.getMembersList().stream()
                .map(member -> records.snapshots().get(new SnapshotId(member)))
                .filter(record -> record != null)
                .toList();
    }

    @Override
    public GroupSnapshot find(GroupSnapshotId id, List<SnapshotId> members) {
        var group = records.groups().get(id);
        if (group == null || group.getState() != LifeState.READY) {
            throw StowageException.notFound("group snapshot %s does not exist", id);
        }
        requireMembers(group, members);
        return view(group);
    }

    private static void requireMembers(GroupRecord group, List<SnapshotId> members) {
        var named = new HashSet<String>();
        members.forEach(member -> named.add(member.value()));
        if (!named.equals(new HashSet<>(group.getMembersList()))) {
            throw StowageException.invalid(
                    "group snapshot %s: the named snapshots are not its members; its members are %s",
                    group.getId(), group.getMembersList());
        }
    }

    private GroupSnapshot view(GroupRecord group) {
        return new GroupSnapshot(
                new GroupSnapshotId(group.getId()),
                memberRecords(group).stream()
                        .map(record -> SnapshotView.of(record, here))
                        .toList(),
                SnapshotView.instant(group.getTakenAtNanos()));
    }
}
