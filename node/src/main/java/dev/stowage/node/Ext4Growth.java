package dev.stowage.node;

import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.VolumeId;
import dev.stowage.linux.command.CommandFailedException;
import dev.stowage.linux.command.Commands;
import dev.stowage.linux.filesystem.FilesystemType;
import dev.stowage.linux.filesystem.Filesystems;
import dev.stowage.node.Devices.Device;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/**
 * Makes an ext4 filesystem fill its device.
 *
 * <p>While it is mounted, the kernel lets only those do this who have CAP_SYS_RESOURCE, which a container rarely has. Before it is
 * mounted it needs no more than to write to the device, so that is when it is done.
 */
final class Ext4Growth {

    private static final int SUPERBLOCK = 1024;
    private static final int SUPERBLOCK_SIZE = 1024;
    private static final int BLOCKS_LOW = 0x4;
    private static final int BLOCK_SIZE_LOG = 0x18;
    private static final int SMALLEST_BLOCK = 1024;
    private static final int LARGEST_BLOCK_LOG = 6;
    private static final int INCOMPATIBLE_FEATURES = 0x60;
    private static final int FEATURE_64_BIT = 0x80;
    private static final int BLOCKS_HIGH = 0x150;
    private static final int LEFT_UNCORRECTED = 4;
    private static final String REFUSED_BY_THE_KERNEL = "Permission denied to resize";
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private Ext4Growth() {}

    /** Grows a filesystem that is not mounted, if it is smaller than its device. */
    static void beforeMount(VolumeId volume, Device device, long deviceSize) {
        var size = Size.of(superblock(volume, device));
        if (deviceSize - size.bytes() < size.block()) {
            return;
        }
        var path = device.path().toString();
        // resize2fs insists on a check that is younger than the last mount.
        var check = Commands.run(LIMIT, "e2fsck", "-f", "-p", path);
        if (check.exitCode() >= LEFT_UNCORRECTED) {
            throw StowageException.notPossible(
                    "volume %s: its ext4 filesystem is damaged beyond what can be repaired without a decision (e2fsck on %s ended with "
                            + "%d: %s), so that it cannot grow. Nothing was mounted; repair it by hand or restore a snapshot",
                    volume, path, check.exitCode(), (check.stdout() + check.stderr()).strip());
        }
        Commands.run(LIMIT, "resize2fs", path).orThrow();
    }

    /** Grows a filesystem while it is mounted. */
    static void whileMounted(VolumeId volume, Device device, Path mountPoint) {
        try {
            Filesystems.grow(FilesystemType.EXT4, device.path(), mountPoint);
        } catch (CommandFailedException failed) {
            if (Text.reason(failed).contains(REFUSED_BY_THE_KERNEL)) {
                throw StowageException.notPossible(
                        "volume %s: its device has grown, but the kernel does not let this driver grow an ext4 filesystem while it is "
                                + "mounted at %s, because it lacks the capability CAP_SYS_RESOURCE. Give the driver that capability; or end "
                                + "the pods that use the volume, and it grows when it is staged again",
                        volume, mountPoint);
            }
            throw failed;
        }
    }

    private record Size(long blocks, long block) {

        static Size of(ByteBuffer superblock) {
            int log = Math.clamp(superblock.getInt(BLOCK_SIZE_LOG), 0, LARGEST_BLOCK_LOG);
            long blocks = Integer.toUnsignedLong(superblock.getInt(BLOCKS_LOW));
            if ((superblock.getInt(INCOMPATIBLE_FEATURES) & FEATURE_64_BIT) != 0) {
                blocks |= Integer.toUnsignedLong(superblock.getInt(BLOCKS_HIGH)) << Integer.SIZE;
            }
            return new Size(blocks, (long) SMALLEST_BLOCK << log);
        }

        long bytes() {
            return blocks * block;
        }
    }

    private static ByteBuffer superblock(VolumeId volume, Device device) {
        var bytes = ByteBuffer.allocate(SUPERBLOCK_SIZE).order(ByteOrder.LITTLE_ENDIAN);
        try (var channel = FileChannel.open(device.path(), StandardOpenOption.READ)) {
            if (channel.read(bytes, SUPERBLOCK) != SUPERBLOCK_SIZE) {
                throw new IOException("it ends before its superblock does");
            }
            return bytes.flip();
        } catch (IOException unreadable) {
            throw StowageException.unavailable(
                    unreadable,
                    "volume %s: the superblock on %s cannot be read: %s",
                    volume,
                    device.path(),
                    Text.reason(unreadable));
        }
    }
}
