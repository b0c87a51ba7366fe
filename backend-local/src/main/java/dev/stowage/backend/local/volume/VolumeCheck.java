package dev.stowage.backend.local.volume;

import com.sun.nio.file.ExtendedOpenOption;
import dev.stowage.backend.local.pool.Pool;
import dev.stowage.backend.local.pool.PoolSpace;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.health.HealthIssue;
import dev.stowage.core.health.HealthIssue.Status;
import dev.stowage.core.health.StorageIssue;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.Sizes;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.file.Directory;
import dev.stowage.linux.file.FileHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Looks at a volume's file and at the pool below it. */
public final class VolumeCheck {

    private static final int BLOCK = 4096;

    private final Pool pool;
    private final PoolSpace space;

    public VolumeCheck(Pool pool, PoolSpace space) {
        this.pool = pool;
        this.space = space;
    }

    /** What is wrong with the pool, and so with every volume in it. */
    public List<HealthIssue> pool() {
        return storage().stream()
                .map(issue -> new HealthIssue(
                        issue.status() == StorageIssue.Status.UNREACHABLE ? Status.INACCESSIBLE : Status.DEGRADED,
                        issue.reason(),
                        issue.message()))
                .toList();
    }

    /** The same, as the node tells it. */
    public List<StorageIssue> storage() {
        var trouble = pool.trouble();
        if (trouble.isPresent()) {
            return List.of(new StorageIssue(
                    StorageIssue.Status.UNREACHABLE,
                    "PoolUnreachable",
                    trouble.get() + "; bring the pool's disk back"));
        }
        var issues = new ArrayList<StorageIssue>();
        try {
            readDirectly(pool.marker(), 0);
        } catch (IOException failure) {
            issues.add(new StorageIssue(
                    StorageIssue.Status.DEGRADED,
                    "PoolErrors",
                    "pool " + pool.path() + " cannot be read: " + failure.getMessage()
                            + "; check the disk below the pool"));
        }
        var state = space.state();
        if (state.free() <= 0) {
            issues.add(
                    new StorageIssue(
                            StorageIssue.Status.DEGRADED,
                            "PoolFull",
                            "pool " + pool.path() + " has only its reserve of " + Sizes.text(state.reserve())
                                    + " left; writes to thin volumes may fail soon. Delete volumes or snapshots, or enlarge the pool"));
        }
        return issues;
    }

    /**
     * What is wrong with one volume, including what is wrong with all of them.
     *
     * @param size what the file must have at least; zero when that is not known here
     * @param read whether to read from the disk itself, past every cache
     */
    public List<HealthIssue> volume(VolumeId volume, long size, boolean read, List<HealthIssue> poolIssues) {
        if (poolIssues.stream().anyMatch(issue -> issue.status() == Status.INACCESSIBLE)) {
            return poolIssues;
        }
        var issues = new ArrayList<>(poolIssues);
        Directory directory = pool.ephemeral().exists(volume.value()) ? pool.ephemeral() : pool.volumes();
        Path path = directory.path(volume.value());
        try (FileHandle file = Pool.open(directory, volume.value(), false).orElse(null)) {
            if (file == null) {
                issues.add(new HealthIssue(
                        Status.DATA_LOSS,
                        "BackingFileMissing",
                        path + " is gone; restore the volume from a snapshot or a backup"));
            } else if (file.size() < size) {
                issues.add(new HealthIssue(
                        Status.DATA_LOSS,
                        "BackingFileTruncated",
                        path + " has " + Sizes.text(file.size()) + " instead of " + Sizes.text(size)
                                + "; restore the volume from a snapshot or a backup"));
            } else if (read) {
                readEnds(path, file);
            }
        } catch (StowageException.NotPossible replaced) {
            issues.add(new HealthIssue(
                    Status.DATA_LOSS, "BackingFileReplaced", Objects.toString(replaced.getMessage(), "")));
        } catch (SyscallException | IOException failure) {
            issues.add(new HealthIssue(
                    Status.INACCESSIBLE,
                    "DeviceErrors",
                    path + " cannot be read: " + failure.getMessage() + "; check the disk below the pool"));
        }
        return issues;
    }

    /** Reads where data begins and where it ends; a disk that fails does not fail in holes. */
    private static void readEnds(Path path, FileHandle file) throws IOException {
        long first = file.nextData(0);
        long last = Math.max(0, file.size() - BLOCK);
        if (first < 0) {
            return;
        }
        readDirectly(path, first, Math.min(first + Sizes.MIB, last));
    }

    /** Reads the blocks at these offsets from the disk itself. */
    private static void readDirectly(Path path, long... offsets) throws IOException {
        try (var channel = FileChannel.open(
                path, Set.of(StandardOpenOption.READ, ExtendedOpenOption.DIRECT, LinkOption.NOFOLLOW_LINKS))) {
            var block = ByteBuffer.allocateDirect(2 * BLOCK).alignedSlice(BLOCK);
            for (long offset : offsets) {
                channel.read(block.clear().limit(BLOCK), offset / BLOCK * BLOCK);
            }
        }
    }
}
