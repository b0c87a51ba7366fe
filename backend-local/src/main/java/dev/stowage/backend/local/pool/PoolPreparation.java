package dev.stowage.backend.local.pool;

import dev.stowage.backend.local.LocalSettings;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.volume.Sizes;
import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.command.CommandFailedException;
import dev.stowage.linux.file.Directory;
import dev.stowage.linux.file.FileHandle;
import dev.stowage.linux.filesystem.FilesystemType;
import dev.stowage.linux.filesystem.Filesystems;
import dev.stowage.linux.filesystem.Signature;
import dev.stowage.linux.loop.LoopDevices;
import dev.stowage.linux.mount.MountPoint;
import dev.stowage.linux.mount.Mounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns what the user named into an opened pool: a directory as it is, a directory with a pool image in it, or a disk. */
public final class PoolPreparation {

    private static final Logger log = LoggerFactory.getLogger(PoolPreparation.class);

    /** The mount option by which a look at a disk is told from its use. */
    private static final String LOOKING = "norecovery";

    private static final long SMALLEST_IMAGE = 512 * Sizes.MIB;

    private PoolPreparation() {}

    public static Pool open(LocalSettings settings) {
        Path path = settings.pool().toAbsolutePath().normalize();
        try {
            if (Files.exists(path) && !Files.isDirectory(path)) {
                if (settings.poolImage().isPresent()) {
                    throw StowageException.invalid(
                            "pool %s: a pool image is kept in a directory, and this is none", path);
                }
                return onDisk(path, settings.mountDirectory());
            }
            makeDirectory(path);
            return settings.poolImage().isPresent()
                    ? inImage(path, settings.poolImage().getAsLong())
                    : inDirectory(path);
        } catch (SyscallException | CommandFailedException failure) {
            throw StowageException.internal(failure, "pool %s: %s", path, failure.getMessage());
        }
    }

    private static Pool inDirectory(Path path) {
        try (Directory directory = Directory.open(path)) {
            if (directory.exists(PoolLayout.IMAGE)) {
                throw StowageException.invalid(
                        "pool %s holds a pool image; start the driver with the pool image's size as before", path);
            }
        }
        return Pool.open(path, () -> {});
    }

    private static void makeDirectory(Path path) {
        if (Files.isDirectory(path)) {
            return;
        }
        Path parent = path.getParent();
        if (parent == null || !Files.isDirectory(parent)) {
            throw StowageException.notPossible("pool %s: its parent directory does not exist; create it first", path);
        }
        Mounts.ensureDirectory(path);
    }

    /** A file in the directory that holds a filesystem which can share blocks. Its room is taken at once, so that it is really there. */
    private static Pool inImage(Path path, long size) {
        if (size < SMALLEST_IMAGE) {
            throw StowageException.invalid(
                    "--pool-image %s: it must have at least %s", Sizes.text(size), Sizes.text(SMALLEST_IMAGE));
        }
        Path mount = path.resolve(PoolLayout.IMAGE_MOUNT);
        try (Directory directory = Directory.open(path)) {
            if (!directory.exists(PoolLayout.IMAGE)) {
                makeImage(directory, size);
            }
            directory.createChild(PoolLayout.IMAGE_MOUNT, 0700).close();
            try (FileHandle image = directory.open(PoolLayout.IMAGE, true)) {
                if (!mountedFrom(image, mount)) {
                    // A device that still has the image holds a filesystem that is in use: a second one would be
                    // another disk with
                    // the same filesystem, which is never to be.
                    try (var device = LoopDevices.find(image.identity())
                            .orElseGet(() -> LoopDevices.attach(
                                    image, directory.path(PoolLayout.IMAGE), new LoopDevices.Options(false, true)))) {
                        Mounts.mount(device.path(), mount, FilesystemType.XFS.mountName(), List.of("nodev", "nosuid"));
                    }
                }
            }
        }
        return Pool.open(mount, () -> unmountIfIdle(mount));
    }

    private static void makeImage(Directory directory, long size) {
        if (!directory.names().stream()
                .allMatch(name -> name.startsWith(PoolLayout.IMAGE)
                        || name.equals(PoolLayout.IMAGE_MOUNT)
                        || name.equals("lost+found"))) {
            throw StowageException.notPossible(
                    "pool %s: the directory is not empty; a pool image needs an empty one", directory.path());
        }
        // Complete under another name first: a pool image that is there is whole.
        String unfinished = PoolLayout.IMAGE + ".new";
        directory.unlink(unfinished);
        try (FileHandle image = directory.create(unfinished)) {
            image.truncate(size);
            image.allocate(0, size);
            Filesystems.format(directory.path(unfinished), FilesystemType.XFS, UUID.randomUUID(), List.of(), "stowage");
            image.sync();
        } catch (SyscallException failure) {
            directory.unlink(unfinished);
            if (failure.is(Errno.ENOSPC)) {
                throw StowageException.exhausted(
                        "pool %s: there is no room for a pool image of %s", directory.path(), Sizes.text(size));
            }
            throw failure;
        }
        directory.rename(unfinished, PoolLayout.IMAGE);
        directory.sync();
    }

    private static boolean mountedFrom(FileHandle image, Path mount) {
        var there = Mounts.at(mount);
        if (there.isEmpty()) {
            return false;
        }
        var device = LoopDevices.attached().stream()
                .filter(loop ->
                        loop.number() == there.get().minor() && loop.backing().equals(image.identity()))
                .findAny();
        if (device.isEmpty()) {
            throw StowageException.notPossible(
                    "pool: %s is mounted from %s, not from the pool image; unmount it",
                    mount, there.get().source());
        }
        return true;
    }

    /** A whole disk. It is formatted only when every place that could hold something was read and was blank. */
    private static Pool onDisk(Path disk, Path mountDirectory) {
        Path device = real(disk);
        Path mount = mountDirectory.resolve(device.getFileName().toString());
        endInterruptedLook(device, mount);
        var mounted = Mounts.all().stream()
                .filter(there -> Path.of(there.source()).equals(device))
                .map(MountPoint::target)
                .findFirst();
        if (mounted.isPresent()) {
            return openMounted(disk, mounted.get());
        }
        switch (Filesystems.probe(device)) {
            case Signature.Blank blank -> {
                log.info("pool {}: the disk is blank, formatting it", disk);
                Filesystems.format(device, FilesystemType.XFS, UUID.randomUUID(), List.of(), "stowage");
                makeMountPoint(disk, mount);
            }
            case Signature.Known known
            when known.type() == FilesystemType.XFS -> {
                makeMountPoint(disk, mount);
                requireOursOrEmpty(disk, device, mount);
            }
            case Signature.Known known ->
                throw refused(
                        disk, "it holds a filesystem of type " + known.type().mountName());
            case Signature.Foreign foreign -> throw refused(disk, "it holds " + foreign.what());
        }
        Mounts.mount(device, mount, FilesystemType.XFS.mountName(), List.of("nodev", "nosuid"));
        try {
            return openMounted(disk, mount);
        } catch (StowageException notOurs) {
            Mounts.unmount(mount);
            throw notOurs;
        }
    }

    /** A crash while a disk was looked at leaves it mounted read-only, at the place where the pool belongs. */
    private static void endInterruptedLook(Path device, Path mount) {
        Mounts.at(mount)
                .filter(there -> Path.of(there.source()).equals(device)
                        && there.superOptions().contains(LOOKING))
                .ifPresent(there -> Mounts.unmount(mount));
    }

    private static void makeMountPoint(Path disk, Path mount) {
        try {
            Files.createDirectories(mount);
        } catch (IOException failure) {
            throw StowageException.internal(failure, "pool %s: cannot make its mount point %s", disk, mount);
        }
    }

    /** Looks into a filesystem without writing to its disk; an ordinary mount would, even if it is given up at once. */
    private static void requireOursOrEmpty(Path disk, Path device, Path mount) {
        Mounts.mount(
                device, mount, FilesystemType.XFS.mountName(), List.of("ro", LOOKING, "nodev", "nosuid", "noexec"));
        try (Directory root = Directory.open(mount)) {
            if (!Pool.oursOrEmpty(root)) {
                throw refused(disk, "it holds a filesystem with other data");
            }
        } finally {
            Mounts.unmount(mount);
        }
    }

    private static Pool openMounted(Path disk, Path mount) {
        try {
            return Pool.open(mount, () -> unmountIfIdle(mount));
        } catch (StowageException.NotPossible notOurs) {
            throw refused(disk, "it holds a filesystem with other data");
        }
    }

    private static StowageException refused(Path disk, String why) {
        return StowageException.notPossible(
                "pool %s: %s. Stowage formats only a blank disk; if nothing on it is needed, wipe it by hand (wipefs --all)",
                disk, why);
    }

    private static Path real(Path disk) {
        try {
            Path real = disk.toRealPath();
            if (Files.isRegularFile(real, LinkOption.NOFOLLOW_LINKS)) {
                throw StowageException.invalid("pool %s is a file; give a directory or a block device", disk);
            }
            return real;
        } catch (IOException failure) {
            throw StowageException.notPossible("pool %s cannot be looked at: %s", disk, failure.getMessage());
        }
    }

    /** Volumes that are in use keep the pool mounted across a restart of the driver; that is how it should be. */
    private static void unmountIfIdle(Path mount) {
        if (holdsDevices(mount)) {
            log.info("pool {}: volumes are in use, so it stays mounted", mount);
            return;
        }
        try {
            Mounts.unmount(mount);
        } catch (SyscallException busy) {
            if (!busy.is(Errno.EBUSY)) {
                throw busy;
            }
            log.info("pool {}: it is in use, so it stays mounted", mount);
        }
    }

    /**
     * Whether devices have files of the filesystem that is mounted there. The kernel refuses to unmount it for those that were
     * attached in this mount namespace only; an earlier container's are no obstacle to it.
     */
    private static boolean holdsDevices(Path mount) {
        return Mounts.at(mount)
                .filter(there -> LoopDevices.attached().stream()
                        .map(LoopDevices.Attached::backing)
                        .anyMatch(file -> file.major() == there.major() && file.minor() == there.minor()))
                .isPresent();
    }
}
