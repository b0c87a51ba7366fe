package dev.stowage.backend.local.volume;

import dev.stowage.backend.local.pool.Pool;
import dev.stowage.backend.local.pool.PoolRecords;
import dev.stowage.backend.local.pool.PoolSpace;
import dev.stowage.backend.local.pool.PoolSpace.Demand;
import dev.stowage.backend.local.record.VolumeRecord;
import dev.stowage.core.backend.Modification;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.VolumeId;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.file.FileHandle;
import dev.stowage.linux.loop.LoopDevices;
import java.util.HashMap;
import java.util.Map;

/** Parameters that change during a volume's life: thin becomes thick or the reverse, read-ahead follows at once. */
public final class LocalModification implements Modification {

    private final Pool pool;
    private final PoolRecords records;
    private final PoolSpace space;

    public LocalModification(Pool pool, PoolRecords records, PoolSpace space) {
        this.pool = pool;
        this.records = records;
        this.space = space;
    }

    @Override
    public void modify(VolumeId id, Map<String, String> mutableParameters) {
        var changes = VolumeParameters.parseMutable(mutableParameters);
        var volume = LocalVolumes.require(records, id);
        var wanted = new HashMap<>(volume.getVariableParametersMap());
        wanted.putAll(changes);
        if (wanted.equals(volume.getVariableParametersMap()) && !volume.getChanging()) {
            return;
        }
        long missing = VolumeParameters.thick(wanted) && !VolumeParameters.thick(volume.getVariableParametersMap())
                ? missingBytes(volume)
                : 0;
        try (var claim = space.claim("volume " + id, new Demand(0, 0, missing))) {
            var changing = volume.toBuilder()
                    .setChanging(true)
                    .clearChangingTo()
                    .putAllChangingTo(wanted)
                    .build();
            records.put(changing);
            try {
                apply(changing);
            } catch (SyscallException failure) {
                records.put(volume.toBuilder().clearChanging().clearChangingTo().build());
                throw VolumeFiles.explained("volume " + id, pool, failure);
            }
            claim.keep();
        }
    }

    private long missingBytes(VolumeRecord volume) {
        try (FileHandle file = open(volume, false)) {
            // Shared blocks are counted by each of their files, so with sharing nothing can be taken as already there.
            return pool.sharesBlocks()
                    ? volume.getSizeBytes()
                    : Math.max(0, volume.getSizeBytes() - file.allocatedBytes());
        }
    }

    private void apply(VolumeRecord changing) {
        var wanted = changing.getChangingToMap();
        if (VolumeParameters.thick(wanted) && !VolumeParameters.thick(changing.getVariableParametersMap())) {
            try (FileHandle file = open(changing, true)) {
                VolumeFiles.makeThick(file, changing.getSizeBytes());
                file.sync();
            }
        }
        int readAhead = VolumeParameters.readAhead(wanted);
        if (readAhead >= 0) {
            LiveUse.of(pool, new VolumeId(changing.getId()))
                    .ifPresent(use -> LoopDevices.setReadAhead(use.loop(), readAhead));
        }
        records.put(changing.toBuilder()
                .clearVariableParameters()
                .putAllVariableParameters(wanted)
                .clearChanging()
                .clearChangingTo()
                .build());
    }

    private FileHandle open(VolumeRecord volume, boolean write) {
        return Pool.open(pool.volumes(), volume.getId(), write)
                .orElseThrow(() ->
                        StowageException.internal("volume %s: its file is gone, its data is lost", volume.getId()));
    }

    /** Finishes a change that a crash interrupted; one for which there is no room any more is given up. */
    public void finish(VolumeRecord volume) {
        if (!volume.getChanging()) {
            return;
        }
        try {
            apply(volume);
        } catch (SyscallException noRoom) {
            records.put(volume.toBuilder().clearChanging().clearChangingTo().build());
        }
    }
}
