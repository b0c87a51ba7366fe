package dev.stowage.backend.local.snapshot;

import dev.stowage.backend.local.pool.Pool;
import dev.stowage.backend.local.pool.PoolRecords;
import dev.stowage.backend.local.pool.PoolSpace;
import dev.stowage.backend.local.pool.PoolSpace.Demand;
import dev.stowage.backend.local.record.LifeState;
import dev.stowage.backend.local.record.SnapshotRecord;
import dev.stowage.backend.local.volume.VolumeFiles;
import dev.stowage.backend.local.volume.VolumeParameters;
import dev.stowage.core.backend.Snapshots;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.page.Page;
import dev.stowage.core.page.PageRequest;
import dev.stowage.core.page.Paging;
import dev.stowage.core.volume.Snapshot;
import dev.stowage.core.volume.Topology;
import dev.stowage.linux.SyscallException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** Snapshots as files of the pool that nobody writes to. */
public final class LocalSnapshots implements Snapshots {

    private final Pool pool;
    private final PoolRecords records;
    private final PoolSpace space;
    private final StillSource still;
    private final Topology here;

    public LocalSnapshots(Pool pool, PoolRecords records, PoolSpace space, StillSource still, Topology here) {
        this.pool = pool;
        this.records = records;
        this.space = space;
        this.still = still;
        this.here = here;
    }

    @Override
    public Snapshot create(Wanted wanted) {
        VolumeParameters.requireNone("a snapshot", wanted.parameters());
        var existing = records.snapshotNamed(wanted.name().value()).flatMap(this::settle);
        if (existing.isPresent()) {
            return requireSameWish(existing.get(), wanted);
        }
        if (!wanted.topology().allows(here)) {
            throw StowageException.exhausted(
                    "snapshot '%s': it is wanted in a place that this pool does not serve; the pool's place is %s",
                    wanted.name(), here.segments());
        }
        String what = "snapshot '" + wanted.name() + "' of volume " + wanted.source();
        try (var source = still.volume(wanted.source());
                var claim = space.claim(what, demand(source))) {
            var wish = SnapshotRecord.newBuilder()
                    .setId("snap-" + UUID.randomUUID().toString().replace("-", ""))
                    .setName(wanted.name().value())
                    .setState(LifeState.CREATING)
                    .setSourceVolume(wanted.source().value())
                    .setSizeBytes(source.sizeBytes())
                    .setTakenAtNanos(SnapshotView.nanos(Instant.now()))
                    .setSourceThick(source.thick())
                    .putAllSourceContext(source.context())
                    .build();
            records.put(wish);
            try {
                VolumeFiles.createCopy(
                        pool,
                        source.file(),
                        pool.snapshots(),
                        wish.getId(),
                        source.sizeBytes(),
                        false,
                        source.progress(),
                        source::letGoOn);
            } catch (SyscallException failure) {
                undo(wish);
                throw VolumeFiles.explained(what, pool, failure);
            } catch (StowageException failure) {
                undo(wish);
                throw failure;
            }
            var ready = wish.toBuilder().setState(LifeState.READY).build();
            records.put(ready);
            claim.keep();
            return SnapshotView.of(ready, here);
        }
    }

    private Demand demand(StillSource.Still source) {
        return demand(pool, source.sizeBytes(), source.thick(), source.file().allocatedBytes());
    }

    static Demand demand(Pool pool, long size, boolean thickSource, long allocated) {
        // A thick volume was promised its room. Once a snapshot shares its blocks, that promise needs the room again.
        boolean shared = pool.sharesBlocks();
        return new Demand(size, shared && thickSource ? size : 0, shared ? 0 : allocated);
    }

    private Snapshot requireSameWish(SnapshotRecord existing, Wanted wanted) {
        if (!existing.getSourceVolume().equals(wanted.source().value())) {
            throw StowageException.alreadyExists(
                    "snapshot '%s' exists as %s of another volume, %s; use another name, or delete it first",
                    existing.getName(), existing.getId(), existing.getSourceVolume());
        }
        return SnapshotView.of(existing, here);
    }

    /** Undoes what a crash or a failure left half done. Empty when nothing remains of it. */
    public Optional<SnapshotRecord> settle(SnapshotRecord record) {
        return switch (record.getState()) {
            case READY -> Optional.of(record);
            case CREATING, DELETING -> {
                undo(record);
                yield Optional.empty();
            }
            case LIFE_STATE_UNSPECIFIED, UNRECOGNIZED ->
                throw StowageException.internal(
                        "snapshot %s is in a state that this version does not know; was it written by a newer one?",
                        record.getId());
        };
    }

    private void undo(SnapshotRecord record) {
        VolumeFiles.remove(pool.snapshots(), record.getId());
        records.remove(record);
    }

    @Override
    public void delete(SnapshotId snapshot) {
        var record = records.snapshots().get(snapshot);
        if (record == null) {
            return;
        }
        if (!record.getGroup().isEmpty()) {
            throw StowageException.invalid(
                    "snapshot %s belongs to group snapshot %s and goes with it; delete the group",
                    snapshot, record.getGroup());
        }
        if (record.getState() == LifeState.READY) {
            record = record.toBuilder().setState(LifeState.DELETING).build();
            records.put(record);
        }
        boolean counted = record.getState() == LifeState.DELETING;
        try {
            undo(record);
        } catch (SyscallException failure) {
            throw VolumeFiles.explained("snapshot " + snapshot, pool, failure);
        }
        if (counted) {
            forget(pool, space, record);
        }
    }

    static void forget(Pool pool, PoolSpace space, SnapshotRecord record) {
        space.forget(record.getSizeBytes(), owed(pool, record));
    }

    /** What a snapshot keeps owing to the thick volume it was taken from. */
    public static long owed(Pool pool, SnapshotRecord record) {
        return pool.sharesBlocks() && record.getSourceThick() ? record.getSizeBytes() : 0;
    }

    @Override
    public Snapshot find(SnapshotId snapshot) {
        return SnapshotView.of(require(records, snapshot), here);
    }

    static SnapshotRecord require(PoolRecords records, SnapshotId snapshot) {
        var record = records.snapshots().get(snapshot);
        if (record == null || record.getState() != LifeState.READY) {
            throw StowageException.notFound("snapshot %s does not exist", snapshot);
        }
        return record;
    }

    @Override
    public Page<Snapshot> list(Optional<VolumeId> source, PageRequest page) {
        return Paging.of(
                        records.snapshots(),
                        page,
                        SnapshotId::new,
                        record -> record.getState() == LifeState.READY
                                && source.map(volume -> volume.value().equals(record.getSourceVolume()))
                                        .orElse(true))
                .map(record -> SnapshotView.of(record, here));
    }
}
