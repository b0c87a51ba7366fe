package dev.stowage.backend.local.pool;

import dev.stowage.core.error.StowageException;
import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.file.Directory;
import dev.stowage.linux.file.FileHandle;
import dev.stowage.linux.file.Reflink;
import dev.stowage.linux.filesystem.Filesystems;
import dev.stowage.linux.filesystem.Usage;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** An opened pool. Every file in it is reached from the directories opened here, never by a path from outside. */
public final class Pool implements AutoCloseable {

    private static final String MARKER_TEXT = "stowage local pool, format 1\n";

    private final Directory root;
    private final Directory volumes;
    private final Directory snapshots;
    private final Directory ephemeral;
    private final boolean sharesBlocks;
    private final Runnable release;

    private Pool(Directory root, Directory volumes, Directory snapshots, Directory ephemeral, Runnable release) {
        this.root = root;
        this.volumes = volumes;
        this.snapshots = snapshots;
        this.ephemeral = ephemeral;
        this.sharesBlocks = Reflink.supported(root);
        this.release = release;
    }

    /**
     * Opens the pool in a directory, making it one if the directory is empty.
     *
     * @param release what to do after the pool was closed, such as unmounting it
     */
    static Pool open(Path path, Runnable release) {
        Directory root = Directory.open(path);
        try {
            requireMarker(root);
            return new Pool(
                    root,
                    root.createChild(PoolLayout.VOLUMES, 0700),
                    root.createChild(PoolLayout.SNAPSHOTS, 0700),
                    root.createChild(PoolLayout.EPHEMERAL, 0700),
                    release);
        } catch (RuntimeException failure) {
            root.close();
            throw failure;
        }
    }

    /** Whether a directory is a pool, or can be made one without disturbing anybody. */
    static boolean oursOrEmpty(Directory root) {
        return root.exists(PoolLayout.MARKER) || foreign(root).isEmpty();
    }

    private static List<String> foreign(Directory root) {
        return root.names().stream()
                .filter(name -> !name.equals("lost+found") && !name.equals(PoolLayout.MARKER + ".new"))
                .toList();
    }

    private static void requireMarker(Directory root) {
        if (root.exists(PoolLayout.MARKER)) {
            return;
        }
        var others = foreign(root);
        if (!others.isEmpty()) {
            throw StowageException.notPossible(
                    "pool %s: the directory is not empty ('%s' is in it) and is not a Stowage pool; give an empty directory",
                    root.path(), others.getFirst());
        }
        root.unlink(PoolLayout.MARKER + ".new");
        try (FileHandle marker = root.create(PoolLayout.MARKER + ".new")) {
            marker.write(ByteBuffer.wrap(MARKER_TEXT.getBytes(StandardCharsets.US_ASCII)), 0);
            marker.sync();
        }
        root.rename(PoolLayout.MARKER + ".new", PoolLayout.MARKER);
        root.sync();
    }

    Directory root() {
        return root;
    }

    public Path path() {
        return root.path();
    }

    public Directory volumes() {
        return volumes;
    }

    public Directory snapshots() {
        return snapshots;
    }

    public Directory ephemeral() {
        return ephemeral;
    }

    /** A file that is always there and always has content. */
    public Path marker() {
        return root.path(PoolLayout.MARKER);
    }

    public Path controllerRecords() {
        return root.path(PoolLayout.CONTROLLER_RECORDS);
    }

    public Path nodeRecords() {
        return root.path(PoolLayout.NODE_RECORDS);
    }

    /** Whether two files here can hold the same blocks, so that a copy takes no time and no room. */
    public boolean sharesBlocks() {
        return sharesBlocks;
    }

    /** What is there and what is free, as the filesystem counts it. */
    public Usage usage() {
        return Filesystems.usage(root.path());
    }

    /** Why the pool cannot be used at all now, if so. */
    public Optional<String> trouble() {
        try {
            usage();
            // A directory handle outlives an unmount below it; only the path tells whether the pool is still where it
            // was.
            try (Directory there = Directory.open(root.path())) {
                return there.exists(PoolLayout.MARKER)
                        ? Optional.empty()
                        : Optional.of(
                                "pool " + root.path() + ": its marker file is gone; is the right disk mounted there?");
            }
        } catch (SyscallException failure) {
            return Optional.of("pool " + root.path() + ": " + failure.getMessage());
        }
    }

    /** Opens a file of the pool, or nothing when it is not there. */
    public static Optional<FileHandle> open(Directory directory, String name, boolean write) {
        try {
            return Optional.of(directory.open(name, write));
        } catch (SyscallException failure) {
            if (failure.is(Errno.ENOENT)) {
                return Optional.empty();
            }
            if (failure.is(Errno.ELOOP) || failure.is(Errno.EINVAL)) {
                throw StowageException.notPossible(
                        "%s is not a file of the pool: somebody put something else in its place, which is not touched; put the file back, or take away what is"
                                + " there if the data is lost",
                        directory.path(name));
            }
            throw failure;
        }
    }

    @Override
    public void close() {
        ephemeral.close();
        snapshots.close();
        volumes.close();
        root.close();
        release.run();
    }
}
