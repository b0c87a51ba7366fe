package dev.stowage.linux.mount;

import dev.stowage.linux.Errno;
import dev.stowage.linux.UnsafePathException;
import dev.stowage.linux.effect.Effects;
import dev.stowage.linux.file.FileHandle;
import dev.stowage.linux.internal.Descriptor;
import dev.stowage.linux.internal.Libc;
import dev.stowage.linux.internal.Stat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Mounts and unmounts. The last component of a target is never a symbolic link: a link there could make us mount over, or
 * unmount, something else.
 */
public final class Mounts {
    private static final int UMOUNT_NOFOLLOW = 8;
    private static final int MNT_DETACH = 2;
    private static final int STATVFS_BYTES = 112;
    private static final int STATVFS_FLAGS = 72;

    private Mounts() {}

    /**
     * Mounts the filesystem on a device. Options are written as for mount(8); those that the kernel takes as flags are
     * translated, the others go to the filesystem, which refuses what it does not know.
     */
    public static void mount(Path device, Path target, String type, List<String> options) {
        var parsed = MountOptions.parse(options);
        try (var opened = openPath(target)) {
            Effects.run("mount", target.toString(), () -> {
                var result = Libc.mount(device.toString(), opened.magicPath(), type, parsed.flags(), parsed.data());
                Libc.check(result, "mount", device + " on " + target + " as " + type);
            });
        }
    }

    /**
     * Makes a directory or a file, such as a device node, visible at a second place. A read-only bind is briefly writable,
     * between the two calls that it takes; a process that dies there leaves it so, and repeating must look at
     * {@link MountRoot#readOnly()}.
     */
    public static void bind(Path source, Path target, boolean readOnly) {
        try (var from = openPath(source);
                var to = openPath(target)) {
            Effects.run("bind", target.toString(), () -> {
                var result = Libc.mount(from.magicPath(), to.magicPath(), "", MountOptions.BIND, "");
                Libc.check(result, "bind", source + " on " + target);
            });
        }
        if (readOnly) {
            try {
                makeReadOnly(target);
            } catch (RuntimeException failure) {
                // A writable mount must not stay where a read-only one was asked for.
                unmountTop(target);
                throw failure;
            }
        }
    }

    /** Unmounts all that is mounted at just this path, one on top of the other. Nothing there is fine; in use is EBUSY. */
    public static void unmount(Path target) {
        while (mountedAt(target)) {
            unmountTop(target);
        }
    }

    /** As {@link #unmount}; what is in use vanishes from here at once, and altogether with its last user. */
    public static void unmountFromSight(Path target) {
        while (mountedAt(target)) {
            unmountTop(target, MNT_DETACH);
        }
    }

    /** Every mount that this process sees. */
    public static List<MountPoint> all() {
        return MountTable.read().all();
    }

    /** What is mounted at just this path; of several, the one on top. Reads the whole table: see {@link #mountRoot}. */
    public static Optional<MountPoint> at(Path target) {
        return resolved(target).flatMap(path -> {
            var stack = MountTable.read().at(path);
            return stack.stream()
                    .filter(candidate -> stack.stream().noneMatch(other -> other.parent() == candidate.id()))
                    .findFirst();
        });
    }

    /** All mounts of one filesystem, by the device number that the table shows for it. */
    public static List<MountPoint> ofDevice(int major, int minor) {
        return MountTable.read().ofDevice(major, minor);
    }

    /** What is mounted at just this path, at a price that does not depend on how many mounts there are. */
    public static Optional<MountRoot> mountRoot(Path target) {
        var stat = Stat.unfilled();
        var result = stat.read(Libc.AT_FDCWD, target.toString());
        if (absent(result)) {
            return Optional.empty();
        }
        Libc.check(result, "stat", target);
        if (!stat.mountRoot()) {
            return Optional.empty();
        }
        var node = stat.blockDevice()
                ? Optional.of(new MountRoot.DeviceNumber(stat.nodeMajor(), stat.nodeMinor()))
                : Optional.<MountRoot.DeviceNumber>empty();
        return Optional.of(new MountRoot(
                stat.mountId(),
                new FileHandle.Identity(stat.major(), stat.minor(), stat.inode()),
                (flags(target) & MountOptions.READ_ONLY) != 0,
                node));
    }

    /** Makes the directory to mount on, in a parent that is there; whether it had to be made. */
    public static boolean ensureDirectory(Path target) {
        try (var parent = openParent(target)) {
            var name = name(target);
            var stat = Stat.unfilled();
            var result = stat.read(parent.number(), name);
            if (result == 0) {
                requireDirectory(stat, target);
                return false;
            }
            if (result != -Errno.ENOENT.number()) {
                Libc.check(result, "stat", target);
            }
            boolean made = Effects.perform("mkdir", target.toString(), () -> {
                var outcome = Libc.mkdirat(parent.number(), name, 0750);
                if (outcome == -Errno.EEXIST.number()) {
                    return false;
                }
                Libc.check(outcome, "mkdir", target);
                return true;
            });
            if (!made) {
                requireDirectory(Stat.of(parent.number(), name, target), target);
            }
            return made;
        }
    }

    /** Makes the empty file to mount a device node on, in a parent that is there; whether it had to be made. */
    public static boolean ensureFile(Path target) {
        try (var parent = openParent(target)) {
            var name = name(target);
            var stat = Stat.unfilled();
            var result = stat.read(parent.number(), name);
            if (result == 0) {
                requireFile(stat, target);
                return false;
            }
            if (result != -Errno.ENOENT.number()) {
                Libc.check(result, "stat", target);
            }
            boolean made = Effects.perform("create-file", target.toString(), () -> {
                var outcome = Libc.openat(
                        parent.number(), name, Libc.O_RDWR | Libc.O_CREAT | Libc.O_EXCL | Libc.O_NOFOLLOW, 0600);
                if (outcome == -Errno.EEXIST.number()) {
                    return false;
                }
                Libc.check(Libc.close(Libc.check(outcome, "create", target)), "close", target);
                return true;
            });
            if (!made) {
                requireFile(Stat.of(parent.number(), name, target), target);
            }
            return made;
        }
    }

    /** Removes what was made to mount on: an empty directory or an empty file. Absent is fine, anything else is refused. */
    public static void removeTarget(Path target) {
        var stat = Stat.unfilled();
        var result = stat.read(Libc.AT_FDCWD, target.toString());
        if (absent(result)) {
            return;
        }
        Libc.check(result, "stat", target);
        if (!stat.directory() && !(stat.regular() && stat.size() == 0)) {
            throw new UnsafePathException("not removing " + target + ": it is neither a directory nor an empty file");
        }
        try (var parent = openParent(target)) {
            var kind = stat.directory() ? "rmdir" : "unlink";
            Effects.run(kind, target.toString(), () -> {
                var flags = stat.directory() ? Libc.AT_REMOVEDIR : 0;
                var outcome = Libc.unlinkat(parent.number(), name(target), flags);
                if (outcome != -Errno.ENOENT.number()) {
                    Libc.check(outcome, kind, target);
                }
            });
        }
    }

    private static void makeReadOnly(Path target) {
        try (var opened = openPath(target)) {
            // A remount sets every flag anew: those of the source must be given again or they would be lost. The table
            // tells
            // them also where the filesystem is a server's that does not answer.
            var kept = at(target)
                            .map(mount -> MountOptions.parse(List.copyOf(mount.options()))
                                    .flags())
                            .orElse(0L)
                    & (MountOptions.NO_SUID
                            | MountOptions.NO_DEV
                            | MountOptions.NO_EXEC
                            | MountOptions.NO_ATIME
                            | MountOptions.NO_DIRATIME
                            | MountOptions.RELATIME);
            Effects.run("remount", target.toString(), () -> {
                var result = Libc.mount(
                        "none",
                        opened.magicPath(),
                        "",
                        MountOptions.REMOUNT | MountOptions.BIND | MountOptions.READ_ONLY | kept,
                        "");
                Libc.check(result, "remount read-only", target);
            });
        }
    }

    private static void unmountTop(Path target) {
        unmountTop(target, 0);
    }

    private static void unmountTop(Path target, int how) {
        Effects.run("umount", target.toString(), () -> {
            // By name, not by descriptor: an open descriptor would itself keep the mount busy.
            var result = Libc.umount(target.toString(), UMOUNT_NOFOLLOW | how);
            if (result == -Errno.EINVAL.number() && !mountedAt(target)) {
                return; // someone else was quicker
            }
            Libc.check(result, "unmount", target);
        });
    }

    /** Whether anything is mounted at just this path. No server is asked, which might not answer. */
    public static boolean mountedAt(Path target) {
        var stat = Stat.unfilled();
        var result = stat.readKnown(Libc.AT_FDCWD, target.toString());
        if (absent(result)) {
            return false;
        }
        if (result < 0) {
            // A filesystem that has shut down after errors answers no questions, but it can be unmounted.
            return at(target).isPresent();
        }
        return stat.mountRoot();
    }

    private static boolean absent(int result) {
        return result == -Errno.ENOENT.number() || result == -Errno.ENOTDIR.number();
    }

    /** The path as the table shows it; the last component stays as it is. */
    private static Optional<Path> resolved(Path target) {
        var absolute = target.toAbsolutePath().normalize();
        var parent = absolute.getParent();
        if (parent == null) {
            return Optional.of(absolute);
        }
        try {
            return Optional.of(parent.toRealPath().resolve(name(absolute)));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot resolve " + target, failure);
        }
    }

    private static Descriptor openPath(Path path) {
        var descriptor = Descriptor.open(path, Libc.O_PATH | Libc.O_NOFOLLOW);
        try {
            var stat = Stat.unfilled();
            var result = stat.readKnown(descriptor.number(), "");
            // A filesystem that answers with an error here is no symbolic link, but the root of a broken mount.
            if (result == 0 && stat.symbolicLink()) {
                throw new UnsafePathException(path + " is a symbolic link; mounting through it is refused");
            }
            return descriptor;
        } catch (RuntimeException failure) {
            descriptor.close();
            throw failure;
        }
    }

    private static Descriptor openParent(Path target) {
        var parent = target.toAbsolutePath().getParent();
        if (parent == null) {
            throw new IllegalArgumentException(target + " has no parent directory");
        }
        return Descriptor.open(parent, Libc.O_PATH | Libc.O_DIRECTORY);
    }

    private static String name(Path target) {
        var last = target.getFileName();
        if (last == null
                || last.toString().isEmpty()
                || last.toString().equals(".")
                || last.toString().equals("..")) {
            throw new IllegalArgumentException(target + " does not end in a name");
        }
        return last.toString();
    }

    private static void requireDirectory(Stat stat, Path target) {
        if (!stat.directory()) {
            throw new UnsafePathException(target + " is in the way: it is there and is not a directory");
        }
    }

    /** Once a device node is mounted on the file, that is what one sees. */
    private static void requireFile(Stat stat, Path target) {
        if (!stat.regular() && !stat.blockDevice()) {
            throw new UnsafePathException(target + " is in the way: it is there and is not a file");
        }
    }

    private static long flags(Path target) {
        try (var opened = openPath(target)) {
            return flags(opened);
        }
    }

    private static long flags(Descriptor opened) {
        try (var arena = Arena.ofConfined()) {
            var answer = arena.allocate(STATVFS_BYTES, 8);
            Libc.check(Libc.fstatvfs(opened.number(), answer), "statvfs", opened.path());
            return answer.get(ValueLayout.JAVA_LONG, STATVFS_FLAGS);
        }
    }
}
