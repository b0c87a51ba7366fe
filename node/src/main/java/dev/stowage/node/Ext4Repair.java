package dev.stowage.node;

import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.VolumeId;
import dev.stowage.linux.command.Commands;
import dev.stowage.node.Devices.Device;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;

/**
 * Repairs an ext4 filesystem on which the kernel met an error. The mark that it left stays until e2fsck takes it away, and with it the
 * volume would be reported broken for ever. Where there is no mark, and that is nearly always, two bytes are read and nothing is run.
 */
final class Ext4Repair {

    private static final int STATE_OFFSET = 1024 + 0x3a;
    private static final int ERRORS_SEEN = 0x2;
    private static final int LEFT_UNCORRECTED = 4;
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private Ext4Repair() {}

    static void repairIfMarked(VolumeId volume, Device device) {
        if ((state(volume, device) & ERRORS_SEEN) != 0) {
            run(volume, device, List.of("e2fsck", "-p", device.path().toString()));
        }
    }

    /** Checks a filesystem even though nothing is known to be wrong with it. */
    static void check(VolumeId volume, Device device) {
        run(volume, device, List.of("e2fsck", "-f", "-p", device.path().toString()));
    }

    private static void run(VolumeId volume, Device device, List<String> command) {
        var result = Commands.run(LIMIT, command);
        if (result.exitCode() >= LEFT_UNCORRECTED) {
            throw StowageException.notPossible(
                    "volume %s: its ext4 filesystem is damaged beyond what can be repaired without a decision (e2fsck on %s ended with "
                            + "%d: %s). Nothing was mounted; repair it by hand or restore a snapshot",
                    volume, device.path(), result.exitCode(), (result.stdout() + result.stderr()).strip());
        }
    }

    private static int state(VolumeId volume, Device device) {
        var bytes = ByteBuffer.allocate(Short.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        try (var channel = FileChannel.open(device.path(), StandardOpenOption.READ)) {
            if (channel.read(bytes, STATE_OFFSET) != Short.BYTES) {
                throw new IOException("it ends before its superblock does");
            }
            return bytes.flip().getShort();
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
