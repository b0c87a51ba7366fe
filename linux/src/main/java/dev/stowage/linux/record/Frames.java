package dev.stowage.linux.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/** How changes lie in the file: a header, then frames of a length, a checksum and the changes of one commit. */
final class Frames {

    static final byte[] HEADER = "stowage records 1\n".getBytes(StandardCharsets.US_ASCII);

    private static final int FRAME_HEADER = 8;
    private static final int REMOVED = -1;

    private Frames() {}

    static int sizeOf(String key, byte[] value) {
        return FRAME_HEADER + 8 + key.length() + value.length;
    }

    static byte[] encode(List<Change> changes) {
        byte[][] keys = new byte[changes.size()][];
        int length = 0;
        for (int i = 0; i < keys.length; i++) {
            keys[i] = changes.get(i).key().getBytes(StandardCharsets.UTF_8);
            length += 8 + keys[i].length + (changes.get(i) instanceof Change.Put put ? put.value().length : 0);
        }
        var frame = ByteBuffer.allocate(FRAME_HEADER + length);
        frame.position(FRAME_HEADER);
        for (int i = 0; i < keys.length; i++) {
            frame.putInt(keys[i].length).put(keys[i]);
            switch (changes.get(i)) {
                case Change.Put put -> frame.putInt(put.value().length).put(put.value());
                case Change.Remove remove -> frame.putInt(REMOVED);
            }
        }
        var checksum = new CRC32C();
        checksum.update(frame.array(), FRAME_HEADER, length);
        frame.putInt(0, length).putInt(4, (int) checksum.getValue());
        return frame.array();
    }

    /**
     * Reads all frames into the map.
     *
     * @return the length of the good part; what follows is an unfinished write
     * @throws IOException when what does not check is followed by what does: that is damage, not an unfinished write
     */
    static long replay(Path file, byte[] content, Map<String, byte[]> records) throws IOException {
        if (content.length < HEADER.length) {
            return 0;
        }
        if (!Arrays.equals(content, 0, HEADER.length, HEADER, 0, HEADER.length)) {
            throw new IOException("it is not a record log of this version; nothing was changed");
        }
        var buffer = ByteBuffer.wrap(content);
        int at = HEADER.length;
        while (valid(buffer, at)) {
            int length = buffer.getInt(at);
            apply(buffer.slice(at + FRAME_HEADER, length), records);
            at += FRAME_HEADER + length;
        }
        for (int later = at + 1; later < content.length - FRAME_HEADER; later++) {
            if (valid(buffer, later)) {
                throw new IOException(
                        "it is damaged at offset " + at + ", with good records after it (offset " + later
                                + "); nothing was changed. Restore the file from a backup, or move it away and recover the volumes by hand");
            }
        }
        return at;
    }

    private static boolean valid(ByteBuffer buffer, int at) {
        if (at + FRAME_HEADER > buffer.limit()) {
            return false;
        }
        int length = buffer.getInt(at);
        if (length <= 0 || length > buffer.limit() - at - FRAME_HEADER) {
            return false;
        }
        var checksum = new CRC32C();
        checksum.update(buffer.array(), at + FRAME_HEADER, length);
        return (int) checksum.getValue() == buffer.getInt(at + 4);
    }

    private static void apply(ByteBuffer frame, Map<String, byte[]> records) {
        while (frame.hasRemaining()) {
            byte[] key = new byte[frame.getInt()];
            frame.get(key);
            String name = new String(key, StandardCharsets.UTF_8);
            int length = frame.getInt();
            if (length == REMOVED) {
                records.remove(name);
            } else {
                byte[] value = new byte[length];
                frame.get(value);
                records.put(name, value);
            }
        }
    }
}
