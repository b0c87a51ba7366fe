package dev.stowage.backend.local.volume;

import dev.stowage.backend.local.pool.Pool;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.volume.Sizes;
import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.file.Directory;
import dev.stowage.linux.file.FileHandle;
import dev.stowage.linux.file.SparseCopy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files behind volumes and snapshots: made blank, made as a copy, grown, removed. Each is durable when its method returns. */
public final class VolumeFiles {

    private static final Logger log = LoggerFactory.getLogger(VolumeFiles.class);

    private static final int STEPS = 10;
    private static final long SMALLEST_STEP = 64 * Sizes.MIB;
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(10);

    private VolumeFiles() {}

    /** Makes a file of zeros; thick files have all their blocks from the start. */
    public static void createBlank(Directory directory, String name, long size, boolean thick) {
        try (FileHandle file = directory.create(name)) {
            file.truncate(size);
            if (thick) {
                file.allocate(0, size);
            }
            file.sync();
        }
        directory.sync();
    }

    /**
     * Makes a file with another's content.
     *
     * <p>It is independent of its source from then on. A thick copy gets blocks of its own at once, so that writing to it never fails
     * for want of room.
     *
     * @param captured is called as soon as the source may change again; what takes time comes after it where it can
     */
    public static void createCopy(
            Pool pool,
            FileHandle source,
            Directory directory,
            String name,
            long size,
            boolean thick,
            SparseCopy.Progress progress,
            Runnable captured) {
        try (FileHandle file = directory.create(name)) {
            if (pool.sharesBlocks()) {
                file.cloneFrom(source);
            } else {
                file.truncate(source.size());
                SparseCopy.copy(source, file, logged(directory, name, progress));
            }
            captured.run();
            if (size > source.size()) {
                file.truncate(size);
            }
            if (thick) {
                makeThick(file, size);
            }
            file.sync();
        }
        directory.sync();
    }

    /** Gives the file all its blocks, none of them shared. */
    public static void makeThick(FileHandle file, long size) {
        file.allocate(0, size);
        file.unshare(0, size);
    }

    public static void remove(Directory directory, String name) {
        if (directory.unlink(name)) {
            directory.sync();
        }
    }

    /** Tells ten times, or every ten seconds, how far a copy is; nothing about one that is done in a moment. */
    private static SparseCopy.Progress logged(Directory directory, String name, SparseCopy.Progress progress) {
        var told = new AtomicLong();
        var toldAt = new AtomicLong(System.nanoTime());
        return (done, total) -> {
            boolean far = done - told.get() >= Math.max(total / STEPS, SMALLEST_STEP);
            if (far || System.nanoTime() - toldAt.get() > LONGEST_SILENCE.toNanos()) {
                told.set(done);
                toldAt.set(System.nanoTime());
                log.info("{}: {} of {} copied", directory.path(name), Sizes.text(done), Sizes.text(total));
            }
            progress.copied(done, total);
        };
    }

    /** What the filesystem below said, as an error for the caller. */
    public static StowageException explained(String what, Pool pool, SyscallException failure) {
        if (failure.is(Errno.ENOSPC) || failure.is(Errno.EDQUOT)) {
            return StowageException.exhausted(
                    "%s: pool %s is full (%s); delete volumes or snapshots, or enlarge it",
                    what, pool.path(), failure.getMessage());
        }
        if (failure.is(Errno.EFBIG)) {
            return StowageException.outOfRange(
                    "%s: pool %s cannot hold so large a file (%s)", what, pool.path(), failure.getMessage());
        }
        return StowageException.internal(failure, "%s: %s", what, failure.getMessage());
    }

    public static Optional<FileHandle> open(Directory directory, String name, boolean write) {
        return Pool.open(directory, name, write);
    }
}
