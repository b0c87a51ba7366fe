package dev.stowage.linux.mount;

import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.UnsafePathException;
import dev.stowage.linux.effect.Effects;
import dev.stowage.linux.file.FileHandle;
import dev.stowage.linux.filesystem.Filesystems;
import dev.stowage.linux.internal.Libc;
import dev.stowage.linux.internal.Statx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Mounts, by system call.
 *
 * <p>The last component of a target is opened without following it, and the mount is made on what was opened: a link that somebody
 * puts there is refused, and one that is put there a moment later changes nothing.
 */
public final class Mounts {

    private static final int PATH_ONLY = 0x200000;
    private static final int CLOSE_ON_EXEC = 0x80000;
    private static final boolean ARM = System.getProperty("os.arch", "").equals("aarch64");
    private static final int NO_FOLLOW = ARM ? 0x8000 : 0x20000;
    private static final int CREATE_EXCLUSIVE = 0x40 | 0x80;
    private static final long BIND = 4096;
    private static final long REMOUNT = 32;
    private static final long READ_ONLY = 1;
    private static final int UMOUNT_NOFOLLOW = 8;
    private static final Path TABLE = Path.of("/proc/self/mountinfo");

    private Mounts() {}

    public static void mount(Path device, Path target, String type, List<String> options) {
        var flags = MountFlags.parse(options);
        Effects.run(
                "mount",
                device + " on " + target,
                () -> onto(target, (arena, place) -> {
                    int outcome = Libc.mount(
                            arena.allocateFrom(device.toString()),
                            place,
                            arena.allocateFrom(type),
                            flags.bits(),
                            arena.allocateFrom(flags.data()));
                    if (outcome < 0) {
                        throw new SyscallException("mount", device + " on " + target, -outcome);
                    }
                }));
    }

    public static void bind(Path source, Path target, boolean readOnly) {
        Effects.run(
                "bind",
                source + " on " + target,
                () -> onto(target, (arena, place) -> {
                    int outcome = Libc.mount(
                            arena.allocateFrom(source.toString()), place, MemorySegment.NULL, BIND, MemorySegment.NULL);
                    if (outcome < 0) {
                        throw new SyscallException("bind mount", source + " on " + target, -outcome);
                    }
                }));
        if (readOnly) {
            // The kernel ignores this flag at the first step, and forgets the flags that are not repeated at the
            // second.
            long kept = at(target)
                    .map(mount -> MountFlags.parse(List.copyOf(mount.options())).bits())
                    .orElse(0L);
            Effects.run(
                    "remount",
                    target.toString(),
                    () -> onto(target, (arena, place) -> {
                        int outcome = Libc.mount(
                                MemorySegment.NULL,
                                place,
                                MemorySegment.NULL,
                                BIND | REMOUNT | READ_ONLY | kept,
                                MemorySegment.NULL);
                        if (outcome < 0) {
                            throw new SyscallException("remount read-only", target.toString(), -outcome);
                        }
                    }));
        }
    }

    /** Unmounts everything that is mounted at exactly this path; nothing being there is fine. */
    public static void unmount(Path target) {
        while (mountRoot(target).isPresent()) {
            boolean gone = Effects.perform("umount", target.toString(), () -> {
                try (Arena arena = Arena.ofConfined()) {
                    int outcome = Libc.umount2(arena.allocateFrom(target.toString()), UMOUNT_NOFOLLOW);
                    if (outcome < 0 && outcome != -Errno.EINVAL.number() && outcome != -Errno.ENOENT.number()) {
                        throw new SyscallException("unmount", target.toString(), -outcome);
                    }
                    return outcome < 0;
                }
            });
            if (gone) {
                return;
            }
        }
    }

    public static List<MountPoint> all() {
        try {
            return Files.readAllLines(TABLE, StandardCharsets.UTF_8).stream()
                    .map(MountTable::parse)
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException("the mount table cannot be read", failure);
        }
    }

    /** What is mounted at exactly this path, the topmost if there are several. */
    public static Optional<MountPoint> at(Path target) {
        var root = mountRoot(target);
        if (root.isEmpty()) {
            return Optional.empty();
        }
        return all().stream()
                .filter(mount -> mount.id() == root.get().mountId())
                .findFirst();
    }

    public static List<MountPoint> ofDevice(int major, int minor) {
        return all().stream()
                .filter(mount -> mount.major() == major && mount.minor() == minor)
                .toList();
    }

    /** What is mounted at exactly this path, without reading the mount table. */
    public static Optional<MountRoot> mountRoot(Path target) {
        try (Opened opened = Opened.path(target)) {
            var status = Statx.of(opened.descriptor(), target.toString());
            if (!status.mountRoot()) {
                return Optional.empty();
            }
            return Optional.of(new MountRoot(
                    status.mountId(),
                    new FileHandle.Identity(status.deviceMajor(), status.deviceMinor(), status.inode()),
                    readOnly(target),
                    status.blockDevice()
                            ? Optional.of(new MountRoot.DeviceNumber(status.nodeMajor(), status.nodeMinor()))
                            : Optional.empty()));
        } catch (SyscallException failure) {
            if (failure.is(Errno.ENOENT) || failure.is(Errno.ENOTDIR)) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    private static boolean readOnly(Path target) {
        return Filesystems.mountedReadOnly(target);
    }

    /** Makes the last component a directory if nothing is there; true when it was made. */
    public static boolean ensureDirectory(Path target) {
        var existing = status(target);
        if (existing.isPresent()) {
            if (!existing.get().directory()) {
                throw new UnsafePathException(target + " is there and is not a directory");
            }
            return false;
        }
        Effects.run("mkdir", target.toString(), () -> {
            try (Arena arena = Arena.ofConfined()) {
                int outcome = Libc.mkdirat(Libc.AT_FDCWD, arena.allocateFrom(target.toString()), 0750);
                if (outcome < 0) {
                    throw new SyscallException("mkdir", target.toString(), -outcome);
                }
            }
        });
        return true;
    }

    /** Makes the last component an empty file if nothing is there; true when it was made. */
    public static boolean ensureFile(Path target) {
        var existing = status(target);
        if (existing.isPresent()) {
            if (!existing.get().regularFile() && !existing.get().blockDevice()) {
                throw new UnsafePathException(target + " is there and is not a file");
            }
            return false;
        }
        Effects.run("create-file", target.toString(), () -> {
            try (Arena arena = Arena.ofConfined()) {
                int outcome = Libc.open(
                        arena.allocateFrom(target.toString()), CREATE_EXCLUSIVE | CLOSE_ON_EXEC | NO_FOLLOW, 0640);
                if (outcome < 0) {
                    throw new SyscallException("create", target.toString(), -outcome);
                }
                Libc.close(outcome);
            }
        });
        return true;
    }

    /** Removes the last component if it is an empty directory or an empty file; absent is fine, anything else stays and is an error. */
    public static void removeTarget(Path target) {
        var existing = status(target);
        if (existing.isEmpty()) {
            return;
        }
        boolean directory = existing.get().directory();
        if (!directory && (!existing.get().regularFile() || existing.get().size() != 0)) {
            throw new UnsafePathException(
                    target + " is neither an empty directory nor an empty file; it is left alone");
        }
        Effects.run(directory ? "rmdir" : "unlink", target.toString(), () -> {
            try (Arena arena = Arena.ofConfined()) {
                int outcome = Libc.unlinkat(
                        Libc.AT_FDCWD, arena.allocateFrom(target.toString()), directory ? Libc.AT_REMOVEDIR : 0);
                if (outcome < 0 && outcome != -Errno.ENOENT.number()) {
                    throw new SyscallException("remove", target.toString(), -outcome);
                }
            }
        });
    }

    private static Optional<Statx> status(Path target) {
        try (Arena arena = Arena.ofConfined()) {
            return Optional.of(Statx.at(
                    Libc.AT_FDCWD, arena.allocateFrom(target.toString()), Statx.buffer(arena), target.toString()));
        } catch (SyscallException failure) {
            if (failure.is(Errno.ENOENT)) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    private interface Placing {
        void place(Arena arena, MemorySegment target);
    }

    private static void onto(Path target, Placing placing) {
        try (Opened opened = Opened.path(target);
                Arena arena = Arena.ofConfined()) {
            if (Statx.of(opened.descriptor(), target.toString()).symbolicLink()) {
                throw new UnsafePathException(target + " is a symbolic link; nothing is mounted there");
            }
            placing.place(arena, arena.allocateFrom("/proc/self/fd/" + opened.descriptor()));
        }
    }

    /** A path opened as a place only, its last component not followed. */
    private record Opened(int descriptor) implements AutoCloseable {
        static Opened path(Path path) {
            try (Arena arena = Arena.ofConfined()) {
                int opened = Libc.open(arena.allocateFrom(path.toString()), PATH_ONLY | NO_FOLLOW | CLOSE_ON_EXEC, 0);
                if (opened < 0) {
                    throw new SyscallException("open", path.toString(), -opened);
                }
                return new Opened(opened);
            }
        }

        @Override
        public void close() {
            Libc.close(descriptor);
        }
    }
}
