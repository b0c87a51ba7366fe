package dev.stowage.linux.filesystem;

import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.command.Commands;
import dev.stowage.linux.effect.Effects;
import dev.stowage.linux.internal.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Filesystems are recognised, made, grown, measured, frozen. */
public final class Filesystems {

    private static final Duration FORMAT = Duration.ofMinutes(10);
    private static final Duration GROW = Duration.ofMinutes(10);
    private static final long FREEZE = 0xC0045877L;
    private static final long THAW = 0xC0045878L;
    private static final int CLOSE_ON_EXEC = 0x80000;
    private static final int STATFS_SIZE = 120;
    private static final long FLAG_READ_ONLY = 1;

    private Filesystems() {}

    /** What a device holds, read from the device itself past every cache. A read that fails is an error, never a blank. */
    public static Signature probe(Path device) {
        return SignatureProbe.of(device);
    }

    /**
     * Makes a filesystem, whatever was there before.
     *
     * @param extraOptions options of mkfs that the caller has checked: none names a path or a second device
     */
    public static void format(
            Path device, FilesystemType type, UUID uuid, List<String> extraOptions, @Nullable String label) {
        var command = new ArrayList<String>();
        // The device is known to hold zeros, so there is nothing to discard.
        switch (type) {
            case EXT4 -> {
                command.addAll(List.of("mkfs.ext4", "-F", "-q", "-E", "nodiscard", "-U", uuid.toString()));
                if (label != null) {
                    command.addAll(List.of("-L", label));
                }
            }
            case XFS -> {
                command.addAll(List.of("mkfs.xfs", "-f", "-q", "-K", "-m", "uuid=" + uuid));
                if (label != null) {
                    command.addAll(List.of("-L", label));
                }
            }
            case BTRFS -> {
                command.addAll(List.of("mkfs.btrfs", "-f", "-q", "-K", "-U", uuid.toString()));
                if (label != null) {
                    command.addAll(List.of("-L", label));
                }
            }
        }
        command.addAll(extraOptions);
        command.add(device.toString());
        Commands.run(FORMAT, command).orThrow();
    }

    /** Makes a mounted filesystem fill its device. */
    public static void grow(FilesystemType type, Path device, Path mountPoint) {
        var command = switch (type) {
            case EXT4 -> List.of("resize2fs", device.toString());
            case XFS -> List.of("xfs_growfs", "-d", mountPoint.toString());
            case BTRFS -> List.of("btrfs", "filesystem", "resize", "max", mountPoint.toString());
        };
        Commands.run(GROW, command).orThrow();
    }

    /** Gives a copy an identity of its own where the kernel needs one; false where it needs none. The device must not be mounted. */
    public static boolean changeUuid(FilesystemType type, Path device, UUID uuid) {
        return switch (type) {
            // ext4 does not mind two of a kind; xfs is mounted with nouuid.
            case EXT4, XFS -> false;
            case BTRFS -> {
                Commands.run(FORMAT, "btrfstune", "-f", "-M", uuid.toString(), device.toString())
                        .orThrow();
                yield true;
            }
        };
    }

    public static Usage usage(Path path) {
        try (Arena arena = Arena.ofConfined()) {
            var result = statfs(arena, path);
            long block = result.get(ValueLayout.JAVA_LONG, 72);
            long total = result.get(ValueLayout.JAVA_LONG, 16);
            long free = result.get(ValueLayout.JAVA_LONG, 24);
            long available = result.get(ValueLayout.JAVA_LONG, 32);
            long inodes = result.get(ValueLayout.JAVA_LONG, 40);
            long freeInodes = result.get(ValueLayout.JAVA_LONG, 48);
            return new Usage(
                    total * block, available * block, (total - free) * block, inodes, freeInodes, inodes - freeInodes);
        }
    }

    /** Whether the mount at this path refuses writes, by itself or because its filesystem does. */
    public static boolean mountedReadOnly(Path path) {
        try (Arena arena = Arena.ofConfined()) {
            return (statfs(arena, path).get(ValueLayout.JAVA_LONG, 80) & FLAG_READ_ONLY) != 0;
        }
    }

    private static MemorySegment statfs(Arena arena, Path path) {
        var result = arena.allocate(STATFS_SIZE, 8);
        int outcome = Libc.statfs(arena.allocateFrom(path.toString()), result);
        if (outcome < 0) {
            throw new SyscallException("statfs", path.toString(), -outcome);
        }
        return result;
    }

    /** Brings everything written down to the device and holds up writers until thawed. */
    public static void freeze(Path mountPoint) {
        Effects.run("freeze", mountPoint.toString(), () -> {
            int outcome = control(mountPoint, FREEZE);
            if (outcome < 0) {
                throw new SyscallException("freeze", mountPoint.toString(), -outcome);
            }
        });
    }

    /** Lets writers go on; false when it was not frozen. */
    public static boolean thaw(Path mountPoint) {
        return Effects.perform("thaw", mountPoint.toString(), () -> {
            int outcome = control(mountPoint, THAW);
            if (outcome == -Errno.EINVAL.number()) {
                return false;
            }
            if (outcome < 0) {
                throw new SyscallException("thaw", mountPoint.toString(), -outcome);
            }
            return true;
        });
    }

    private static int control(Path mountPoint, long request) {
        try (Arena arena = Arena.ofConfined()) {
            int descriptor = Libc.open(arena.allocateFrom(mountPoint.toString()), CLOSE_ON_EXEC, 0);
            if (descriptor < 0) {
                throw new SyscallException("open", mountPoint.toString(), -descriptor);
            }
            try {
                return Libc.ioctl(descriptor, request, 0L);
            } finally {
                Libc.close(descriptor);
            }
        }
    }
}
