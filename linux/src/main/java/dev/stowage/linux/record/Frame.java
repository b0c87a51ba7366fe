package dev.stowage.linux.record;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The shape of the file. A header: magic, version, a random salt. Then frames: length, checksum, payload. The checksum also
 * covers the salt and the frame's place, so that neither a remnant of an older file nor a value that contains a frame can pass
 * for one.
 */
final class Frame {
    static final long MAGIC = 0x53544F5752454331L; // "STOWREC1"
    static final int HEADER = 24;
    static final int OVERHEAD = 8;

    private Frame() {}

    static ByteBuffer header(long salt) {
        var header = ByteBuffer.allocate(HEADER);
        header.putLong(MAGIC).putLong(salt);
        var checksum = new CRC32C();
        checksum.update(header.array(), 0, 16);
        return header.putLong(checksum.getValue()).flip();
    }

    static boolean headerValid(ByteBuffer file) {
        return file.capacity() >= HEADER && file.slice(0, HEADER).equals(header(file.getLong(8)));
    }

    static long salt(ByteBuffer file) {
        return file.getLong(8);
    }

    static int checksum(long salt, long offset, int length, ByteBuffer payload) {
        var prefix = ByteBuffer.allocate(20);
        prefix.putLong(salt).putLong(offset).putInt(length).flip();
        var checksum = new CRC32C();
        checksum.update(prefix);
        checksum.update(payload);
        return (int) checksum.getValue();
    }

    /** Whether a whole, undamaged frame begins at an offset. */
    static boolean validAt(ByteBuffer file, long salt, int offset) {
        if (file.capacity() - offset < OVERHEAD) {
            return false;
        }
        var length = file.getInt(offset);
        if (length <= 0 || length > file.capacity() - offset - OVERHEAD) {
            return false;
        }
        return file.getInt(offset + 4) == checksum(salt, offset, length, file.slice(offset + OVERHEAD, length));
    }
}
