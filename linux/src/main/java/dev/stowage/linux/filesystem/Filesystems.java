package dev.stowage.linux.filesystem;

import dev.stowage.linux.Errno;
import dev.stowage.linux.command.CommandFailedException;
import dev.stowage.linux.command.Commands;
import dev.stowage.linux.effect.Effects;
import dev.stowage.linux.internal.Descriptor;
import dev.stowage.linux.internal.Libc;
import dev.stowage.linux.process.Self;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes, recognises, grows, freezes and measures filesystems. */
public final class Filesystems {
    private static final long FIFREEZE = 0xC0045877L;
    private static final long FITHAW = 0xC0045878L;
    private static final int STATVFS_BYTES = 112;
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private Filesystems() {}

    /**
     * What is on a device, read from the device itself and not from the page cache. Unreadable is an error, never blank. Blank
     * means that the places where filesystems, partition tables and volume managers put their signatures hold only zeros; it does
     * not mean that every byte of the device is zero.
     */
    public static Signature probe(Path device) {
        try (var areas = SignatureAreas.read(device)) {
            return new SignatureReader(areas).read();
        }
    }

    /**
     * Makes a filesystem, whatever the device holds: the caller has proved before that it is blank.
     *
     * @param extraOptions options of the mkfs program, one list element each, or an option and its value as two. Only known
     *     options that shape the filesystem are let through; whatever could name another device, a file, or the filesystem's
     *     identity is refused with an {@link IllegalArgumentException}
     */
    public static void format(
            Path device, FilesystemType type, UUID uuid, List<String> extraOptions, @Nullable String label) {
        Commands.run(PATIENCE, device, FormatCommand.of(device, type, uuid, extraOptions, label))
                .orThrow();
    }

    /**
     * Makes a mounted filesystem as large as its device. Already that large is fine. For ext4 the kernel asks for the capability
     * CAP_SYS_RESOURCE beyond that of mounting.
     */
    public static void grow(FilesystemType type, Path device, Path mountPoint) {
        var command = switch (type) {
            case EXT4 -> List.of("resize2fs", device.toString());
            case XFS -> List.of("xfs_growfs", "-d", mountPoint.toString());
            case BTRFS -> List.of("btrfs", "filesystem", "resize", "max", mountPoint.toString());
        };
        var result = Commands.run(PATIENCE, command);
        if (result.exitCode() != 0 && type == FilesystemType.EXT4 && !Self.capable(Self.CAP_SYS_RESOURCE)) {
            throw new CommandFailedException(
                    "cannot grow the mounted ext4 filesystem on %s: the kernel lets only a process with the capability SYS_RESOURCE do that, and this one lacks it; add it to the security context of the driver. resize2fs said: %s"
                            .formatted(device, result.stderr().strip()));
        }
        result.orThrow();
    }

    /**
     * Gives an unmounted copy of a filesystem an identity of its own where it cannot be mounted beside its original without;
     * whether it did. That is btrfs, which takes two devices with one UUID for parts of one filesystem. The others keep the UUID
     * of the original: ext4 does not mind, and rewriting its checksums is not safe on a copy of a mounted one, whose journal is
     * still to be replayed; xfs is mounted with {@code nouuid}.
     */
    public static boolean changeUuid(FilesystemType type, Path device, UUID uuid) {
        return switch (type) {
            case EXT4, XFS -> false;
            case BTRFS -> {
                Commands.run(PATIENCE, device, List.of("btrfstune", "-f", "-M", uuid.toString(), device.toString()))
                        .orThrow();
                yield true;
            }
        };
    }

    /** How full the filesystem is that a path is on. */
    public static Usage usage(Path path) {
        try (var arena = Arena.ofConfined()) {
            var answer = arena.allocate(STATVFS_BYTES, 8);
            Libc.check(Libc.statvfs(path.toString(), answer), "statvfs", path);
            var unit = answer.get(ValueLayout.JAVA_LONG, 8);
            var blocks = answer.get(ValueLayout.JAVA_LONG, 16);
            var free = answer.get(ValueLayout.JAVA_LONG, 24);
            var available = answer.get(ValueLayout.JAVA_LONG, 32);
            var inodes = answer.get(ValueLayout.JAVA_LONG, 40);
            var freeInodes = answer.get(ValueLayout.JAVA_LONG, 48);
            return new Usage(
                    blocks * unit, available * unit, (blocks - free) * unit, inodes, freeInodes, inodes - freeInodes);
        }
    }

    /** Stops all writes to a mounted filesystem, with what is on disk consistent. It stays so when this process ends. */
    public static void freeze(Path mountPoint) {
        try (var opened = Descriptor.open(mountPoint, Libc.O_RDONLY | Libc.O_DIRECTORY)) {
            Effects.run(
                    "freeze",
                    mountPoint.toString(),
                    () -> Libc.check(Libc.ioctl(opened.number(), FIFREEZE, 0), "freeze", mountPoint));
        }
    }

    /** Lets writes go on; false when the filesystem was not frozen. */
    public static boolean thaw(Path mountPoint) {
        try (var opened = Descriptor.open(mountPoint, Libc.O_RDONLY | Libc.O_DIRECTORY)) {
            return Effects.perform("thaw", mountPoint.toString(), () -> {
                var result = Libc.ioctl(opened.number(), FITHAW, 0);
                if (result == -Errno.EINVAL.number()) {
                    return false;
                }
                Libc.check(result, "thaw", mountPoint);
                return true;
            });
        }
    }
}
