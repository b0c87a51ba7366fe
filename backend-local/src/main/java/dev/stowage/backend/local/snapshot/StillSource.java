package dev.stowage.backend.local.snapshot;

import dev.stowage.backend.local.pool.Pool;
import dev.stowage.backend.local.pool.PoolRecords;
import dev.stowage.backend.local.record.LifeState;
import dev.stowage.backend.local.volume.LiveUse;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.core.id.VolumeId;
import dev.stowage.linux.file.FileHandle;
import dev.stowage.linux.file.SparseCopy;
import dev.stowage.linux.loop.LoopDevices;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Opens what is to be copied so that it holds still while it is copied.
 *
 * <p>A snapshot never changes. A volume that nobody uses is kept still by its lane. A mounted one is frozen, so that everything written
 * is in the copy; sharing blocks then takes a moment. A raw device cannot be frozen: sharing blocks catches it at one instant, as a
 * power cut would, and copying it while it is written to is refused.
 */
public final class StillSource {

    private final Pool pool;
    private final PoolRecords records;
    private final Freezer freezer;
    private final Duration longestFreeze;

    public StillSource(Pool pool, PoolRecords records, Freezer freezer, Duration longestFreeze) {
        this.pool = pool;
        this.records = records;
        this.freezer = freezer;
        this.longestFreeze = longestFreeze;
    }

    /** Something that does not change until it is closed. */
    public record Still(
            FileHandle file,
            long sizeBytes,
            boolean thick,
            Map<String, String> context,
            Optional<Freezer.Frozen> frozen,
            SparseCopy.Progress progress)
            implements AutoCloseable {

        /** Lets writers go on; refuses what was copied if they could before. */
        public void letGoOn() {
            frozen.ifPresent(Freezer.Frozen::thawOnTime);
        }

        @Override
        public void close() {
            // Thaw first: writers are waiting.
            try {
                frozen.ifPresent(Freezer.Frozen::close);
            } finally {
                file.close();
            }
        }
    }

    public Still snapshot(SnapshotId snapshot) {
        var record = records.snapshots().get(snapshot);
        if (record == null || record.getState() != LifeState.READY) {
            throw StowageException.notFound("snapshot %s does not exist", snapshot);
        }
        var file = Pool.open(pool.snapshots(), snapshot.value(), false)
                .orElseThrow(() -> StowageException.internal(
                        "snapshot %s: its file %s is gone, its data is lost",
                        snapshot, pool.snapshots().path(snapshot.value())));
        return new Still(
                file,
                record.getSizeBytes(),
                false,
                record.getSourceContextMap(),
                Optional.empty(),
                (done, total) -> {});
    }

    public Still volume(VolumeId volume) {
        var record = records.volumes().get(volume);
        if (record == null || record.getState() != LifeState.READY) {
            throw StowageException.notFound("volume %s does not exist", volume);
        }
        var file = Pool.open(pool.volumes(), volume.value(), false)
                .orElseThrow(() -> StowageException.internal(
                        "volume %s: its file %s is gone, its data is lost",
                        volume, pool.volumes().path(volume.value())));
        try {
            boolean thick = "thick".equals(record.getVariableParametersMap().get("provisioning"));
            var use = LiveUse.of(pool, volume).filter(live -> !live.readOnly());
            if (use.isEmpty()) {
                return new Still(
                        file,
                        record.getSizeBytes(),
                        thick,
                        record.getContextMap(),
                        Optional.empty(),
                        (done, total) -> {});
            }
            if (use.get().rawDevice()) {
                if (!pool.sharesBlocks()) {
                    throw StowageException.notPossible(
                            "volume %s is in use as a raw device, and pool %s cannot share blocks: a copy would mix old and new data."
                                    + " Stop its user first, or use a pool that can share blocks (xfs, btrfs, or a pool image)",
                            volume, pool.path());
                }
                LoopDevices.flush(use.get().loop());
                return new Still(
                        file,
                        record.getSizeBytes(),
                        thick,
                        record.getContextMap(),
                        Optional.empty(),
                        (done, total) -> {});
            }
            var frozen = freezer.freeze(List.of(volume));
            return new Still(
                    file, record.getSizeBytes(), thick, record.getContextMap(), Optional.of(frozen), (done, total) -> {
                        if (frozen.overdue()) {
                            throw StowageException.notPossible(
                                    "volume %s is mounted, and copying it would hold up its writers for more than %s. Stop its user first, or"
                                            + " use a pool that can share blocks (xfs, btrfs, or a pool image)",
                                    volume, longestFreeze);
                        }
                    });
        } catch (RuntimeException failure) {
            file.close();
            throw failure;
        }
    }
}
