package dev.stowage.backend.local.snapshot;

import dev.stowage.backend.local.pool.Pool;
import dev.stowage.backend.local.pool.PoolRecords;
import dev.stowage.backend.local.record.SnapshotRecord;
import dev.stowage.core.backend.ChangedBlocks;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.core.volume.Sizes;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.file.ExtentDiff;
import dev.stowage.linux.file.FileHandle;

/** What a snapshot holds and what changed since an older one, read from the filesystem's own map of blocks. */
public final class LocalChangedBlocks implements ChangedBlocks {

    private final Pool pool;
    private final PoolRecords records;

    public LocalChangedBlocks(Pool pool, PoolRecords records) {
        this.pool = pool;
        this.records = records;
    }

    @Override
    public Listing allocated(SnapshotId snapshot, long from) {
        var record = requireWithin(snapshot, from);
        return new RangeListing(record.getSizeBytes(), ranges -> {
            try (FileHandle file = open(snapshot)) {
                ExtentDiff.allocated(file, from, ranges::range);
            }
        });
    }

    @Override
    public Listing changed(SnapshotId base, SnapshotId target, long from) {
        var older = LocalSnapshots.require(records, base);
        var newer = requireWithin(target, from);
        if (!older.getSourceVolume().equals(newer.getSourceVolume())) {
            throw StowageException.invalid(
                    "snapshots %s and %s are of different volumes, %s and %s; changes are told between snapshots of one volume",
                    base, target, older.getSourceVolume(), newer.getSourceVolume());
        }
        if (older.getTakenAtNanos() > newer.getTakenAtNanos()) {
            throw StowageException.invalid(
                    "base snapshot %s is younger than %s; give the older one as base", base, target);
        }
        return new RangeListing(newer.getSizeBytes(), ranges -> {
            try (FileHandle before = open(base);
                    FileHandle after = open(target)) {
                ExtentDiff.changed(before, after, from, ranges::range);
            }
        });
    }

    private SnapshotRecord requireWithin(SnapshotId snapshot, long from) {
        var record = LocalSnapshots.require(records, snapshot);
        if (from < 0 || from > record.getSizeBytes()) {
            throw StowageException.outOfRange(
                    "snapshot %s: starting offset %d is outside of its %s",
                    snapshot, from, Sizes.text(record.getSizeBytes()));
        }
        return record;
    }

    private FileHandle open(SnapshotId snapshot) {
        return Pool.open(pool.snapshots(), snapshot.value(), false)
                .orElseThrow(
                        () -> StowageException.internal("snapshot %s: its file is gone, its data is lost", snapshot));
    }

    private interface Source {
        void stream(Ranges ranges);
    }

    private record RangeListing(long volumeSizeBytes, Source source) implements Listing {
        @Override
        public void stream(Ranges ranges) {
            try {
                source.stream(ranges);
            } catch (SyscallException failure) {
                throw StowageException.internal(failure, "changed blocks: %s", failure.getMessage());
            }
        }
    }
}
