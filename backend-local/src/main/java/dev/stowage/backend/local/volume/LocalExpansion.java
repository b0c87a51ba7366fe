package dev.stowage.backend.local.volume;

import dev.stowage.backend.local.pool.Pool;
import dev.stowage.backend.local.pool.PoolRecords;
import dev.stowage.backend.local.pool.PoolSpace;
import dev.stowage.backend.local.pool.PoolSpace.Demand;
import dev.stowage.backend.local.record.VolumeRecord;
import dev.stowage.core.backend.Expansion;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.SizeRange;
import dev.stowage.core.volume.Sizes;
import dev.stowage.core.volume.VolumeUse;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.file.FileHandle;
import java.util.Optional;

/** Growth: the wanted size on record, then the file, then the size. In use or not makes no difference here; the node follows. */
public final class LocalExpansion implements Expansion {

    private final Pool pool;
    private final PoolRecords records;
    private final PoolSpace space;

    public LocalExpansion(Pool pool, PoolRecords records, PoolSpace space) {
        this.pool = pool;
        this.records = records;
        this.space = space;
    }

    @Override
    public Expanded expand(VolumeId id, SizeRange size, Optional<VolumeUse> use) {
        use.ifPresent(VolumeRules::requirePossible);
        var volume = finish(LocalVolumes.require(records, id));
        long now = volume.getSizeBytes();
        if (size.limit() != 0 && size.limit() < now) {
            throw StowageException.outOfRange(
                    "volume %s has %s, which is over the limit of %s; volumes never shrink",
                    id, Sizes.text(now), Sizes.text(size.limit()));
        }
        long wanted = size.choose(now, now, VolumeRules.LARGEST, VolumeRules.SIZE_UNIT);
        if (wanted <= now) {
            return new Expanded(now, true);
        }
        long more = wanted - now;
        boolean thick = VolumeParameters.thick(volume.getVariableParametersMap());
        try (var claim = space.claim("volume " + id, thick ? Demand.thick(more) : Demand.thin(more))) {
            var growing = volume.toBuilder().setGrowingToBytes(wanted).build();
            records.put(growing);
            try {
                grow(growing);
            } catch (SyscallException failure) {
                records.put(volume);
                throw VolumeFiles.explained("volume " + id, pool, failure);
            }
            claim.keep();
        }
        return new Expanded(wanted, true);
    }

    private VolumeRecord grow(VolumeRecord growing) {
        long wanted = growing.getGrowingToBytes();
        try (FileHandle file = Pool.open(pool.volumes(), growing.getId(), true)
                .orElseThrow(() ->
                        StowageException.internal("volume %s: its file is gone, its data is lost", growing.getId()))) {
            if (VolumeParameters.thick(growing.getVariableParametersMap())) {
                file.allocate(growing.getSizeBytes(), wanted - growing.getSizeBytes());
            }
            if (file.size() < wanted) {
                file.truncate(wanted);
            }
            file.sync();
        }
        var grown =
                growing.toBuilder().setSizeBytes(wanted).clearGrowingToBytes().build();
        records.put(grown);
        return grown;
    }

    /** Finishes a growth that a crash interrupted. Only ever outwards, to the size on record. */
    public VolumeRecord finish(VolumeRecord volume) {
        if (volume.getGrowingToBytes() <= volume.getSizeBytes()) {
            return volume;
        }
        try {
            var grown = grow(volume);
            space.count(grown.getSizeBytes() - volume.getSizeBytes(), 0);
            return grown;
        } catch (SyscallException failure) {
            throw VolumeFiles.explained("volume " + volume.getId(), pool, failure);
        }
    }
}
