package dev.stowage.array.nfs;

import dev.stowage.core.error.StowageException;
import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.command.Commands;
import dev.stowage.linux.filesystem.FilesystemType;
import dev.stowage.linux.filesystem.Filesystems;
import dev.stowage.linux.loop.LoopDevices;
import dev.stowage.linux.mount.MountPoint;
import dev.stowage.linux.mount.Mounts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** The filesystems in volumes' files. Each is mounted under its volume's id, through a loop device that goes when the mount does. */
final class ShareMounts {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final Path directory;

    ShareMounts(Path directory) {
        this.directory = directory;
    }

    Path target(String id) {
        return directory.resolve(id);
    }

    void format(Path image) {
        Filesystems.format(image, FilesystemType.XFS, UUID.randomUUID(), List.of(), null);
    }

    /**
     * The server tells filesystems apart by their UUIDs. One can only be changed when the journal is empty, which a mount sees to.
     */
    void renewIdentity(String id, Path image) {
        mount(id, image, "nouuid");
        unmount(id, PATIENCE);
        Commands.run(PATIENCE, "xfs_admin", "-f", "-U", UUID.randomUUID().toString(), image.toString())
                .orThrow();
    }

    /** Mounts it if it is not, as large as its file is. */
    void mount(String id, Path image) {
        mount(id, image, "nosuid");
        grow(id);
    }

    private void mount(String id, Path image, String option) {
        var target = target(id);
        if (at(id).isPresent()) {
            return;
        }
        Mounts.ensureDirectory(target);
        Commands.run(
                        PATIENCE,
                        "mount",
                        "-t",
                        "xfs",
                        "-o",
                        "loop,nodev,nosuid," + option,
                        image.toString(),
                        target.toString())
                .orThrow();
    }

    Optional<MountPoint> at(String id) {
        return Mounts.at(target(id));
    }

    /** The ids of all that are mounted. */
    List<String> all() {
        return Mounts.all().stream()
                .map(MountPoint::target)
                .filter(target -> directory.equals(target.getParent()))
                .map(target -> Objects.requireNonNull(target.getFileName()).toString())
                .toList();
    }

    /** The ids of all that have a directory, also of those whose mount was not made any more. */
    List<String> directories() {
        try (var list = Files.list(directory)) {
            return list.map(path -> Objects.requireNonNull(path.getFileName()).toString())
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot look into " + directory, failure);
        }
    }

    /** A filesystem with a file open, or with a call at work in it, cannot be unmounted: that it could is the proof of neither. */
    boolean unmount(String id, Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (at(id).isPresent()) {
            try {
                Mounts.unmount(target(id));
            } catch (SyscallException failure) {
                if (!failure.is(Errno.EBUSY)) {
                    throw failure;
                }
                if (System.nanoTime() > deadline) {
                    return false;
                }
                pause();
            }
        }
        Mounts.removeTarget(target(id));
        return true;
    }

    void grow(String id) {
        at(id).ifPresent(mounted -> {
            LoopDevices.resize(mounted.minor());
            Filesystems.grow(FilesystemType.XFS, Path.of(mounted.source()), mounted.target());
        });
    }

    void freeze(String id) {
        Filesystems.freeze(target(id));
    }

    void thaw(String id) {
        Filesystems.thaw(target(id));
    }

    static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw StowageException.unavailable("interrupted while waiting for the NFS server");
        }
    }
}
