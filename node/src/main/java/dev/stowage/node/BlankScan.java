package dev.stowage.node;

import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.Sizes;
import dev.stowage.node.Devices.Device;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;

/** Reads a device from end to end, to be sure that nothing is on it. */
final class BlankScan {

    /** More than can be read while a caller waits; whoever has that much can make a new volume. */
    private static final long LARGEST = 64 * Sizes.GIB;

    private static final int PIECE = (int) (4 * Sizes.MIB);

    private BlankScan() {}

    /** Returns when every byte was read and is zero, and throws otherwise. */
    static void requireBlank(VolumeId volume, Device device, long size) {
        if (size > LARGEST) {
            throw refused(volume, "it is too large to be read through");
        }
        var zeros = ByteBuffer.allocateDirect(PIECE);
        var piece = ByteBuffer.allocateDirect(PIECE);
        try (var channel = FileChannel.open(device.path(), StandardOpenOption.READ)) {
            for (long position = 0; position < size; ) {
                piece.clear();
                int read = channel.read(piece, position);
                if (read <= 0) {
                    throw new IOException("it ends at " + position + " of " + size + " bytes");
                }
                if (!piece.flip().equals(zeros.clear().limit(read))) {
                    throw refused(volume, "there is data between " + position + " and " + (position + read));
                }
                position += read;
            }
        } catch (IOException unreadable) {
            throw StowageException.unavailable(
                    unreadable,
                    "volume %s: device %s cannot be read from end to end, so it is not formatted: %s",
                    volume,
                    device.path(),
                    Text.reason(unreadable));
        }
    }

    private static StowageException refused(VolumeId volume, String reason) {
        return StowageException.notPossible(
                "volume %s was used as a raw device before and cannot be shown to be blank: %s. It is not formatted; use it as a raw "
                        + "device, or create a new volume",
                volume, reason);
    }
}
