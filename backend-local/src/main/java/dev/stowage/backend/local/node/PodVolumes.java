package dev.stowage.backend.local.node;

import dev.stowage.backend.local.pool.Pool;
import dev.stowage.backend.local.pool.PoolSpace;
import dev.stowage.backend.local.pool.PoolSpace.Demand;
import dev.stowage.backend.local.volume.VolumeFiles;
import dev.stowage.backend.local.volume.VolumeParameters;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.SizeRange;
import dev.stowage.core.volume.Sizes;
import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.file.FileHandle;
import dev.stowage.node.EphemeralVolumes;
import java.util.HashMap;
import java.util.Map;

/** Volumes that a pod brings along and that go with it. Their records are the node's; the file alone tells their size. */
public final class PodVolumes implements EphemeralVolumes {

    /** The wanted size, in the pod's own words. */
    public static final String SIZE = "size";

    private static final long LARGEST = 15 * Sizes.TIB;

    /** Begins the name of a file that is being made. No volume's id begins so. */
    private static final String UNFINISHED = ".";

    private final Pool pool;
    private final PoolSpace space;

    public PodVolumes(Pool pool, PoolSpace space) {
        this.pool = pool;
        this.space = space;
        for (String name : pool.ephemeral().names()) {
            if (name.startsWith(UNFINISHED)) {
                VolumeFiles.remove(pool.ephemeral(), name);
            } else {
                space.count(size(name), 0);
            }
        }
    }

    @Override
    public boolean owns(VolumeId volume) {
        return pool.ephemeral().exists(volume.value());
    }

    @Override
    public void create(VolumeId volume, Map<String, String> context) {
        var own = new HashMap<>(context);
        String wanted = own.remove(SIZE);
        var parameters = VolumeParameters.parse(own, Map.of());
        long size = new SizeRange(wanted == null ? 0 : Sizes.parse(SIZE, wanted), 0)
                .choose(Sizes.GIB, parameters.smallestSize(), LARGEST, 4 * Sizes.KIB);
        if (owns(volume)) {
            return;
        }
        if (pool.volumes().exists(volume.value())) {
            throw StowageException.alreadyExists("volume %s is not an ephemeral one", volume);
        }
        String what = "ephemeral volume " + volume;
        String unfinished = UNFINISHED + volume;
        try (var claim = space.claim(what, parameters.thick() ? Demand.thick(size) : Demand.thin(size))) {
            // Complete under another name first: the file alone tells that the volume is there, and its size.
            VolumeFiles.createBlank(pool.ephemeral(), unfinished, size, parameters.thick());
            pool.ephemeral().rename(unfinished, volume.value());
            pool.ephemeral().sync();
            claim.keep();
        } catch (SyscallException failure) {
            VolumeFiles.remove(pool.ephemeral(), unfinished);
            throw VolumeFiles.explained(what, pool, failure);
        }
    }

    @Override
    public void delete(VolumeId volume) {
        if (!owns(volume)) {
            return;
        }
        long size = size(volume.value());
        VolumeFiles.remove(pool.ephemeral(), volume.value());
        space.forget(size, 0);
    }

    private long size(String name) {
        try (FileHandle file = pool.ephemeral().open(name, false)) {
            return file.size();
        } catch (SyscallException failure) {
            if (failure.is(Errno.ENOENT)) {
                return 0;
            }
            throw failure;
        }
    }
}
