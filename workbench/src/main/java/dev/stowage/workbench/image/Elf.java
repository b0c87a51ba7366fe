package dev.stowage.workbench.image;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a program or library asks of the dynamic loader.
 *
 * @param interpreter the path of the loader, for programs
 * @param needed names of libraries
 */
record Elf(Optional<String> interpreter, List<String> needed) {
    private static final int MAGIC = 0x464c457f;
    private static final int SIXTY_FOUR_BIT_LITTLE_ENDIAN = 0x0102;
    private static final int SEGMENT_LOADED = 1;
    private static final int SEGMENT_DYNAMIC = 2;
    private static final int SEGMENT_INTERPRETER = 3;
    private static final long ENTRY_NEEDED = 1;
    private static final long ENTRY_STRINGS = 5;

    private record Segment(int type, long offset, long address, long size) {}

    /** Empty for what is not a program or library. */
    static Optional<Elf> read(Path file) throws IOException {
        var bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.limit() < 64 || bytes.getInt(0) != MAGIC) {
            return Optional.empty();
        }
        if (bytes.getShort(4) != SIXTY_FOUR_BIT_LITTLE_ENDIAN) {
            throw new IOException(file + " is not for a 64-bit little-endian machine");
        }
        var segments = segments(bytes);
        return Optional.of(new Elf(
                segments.stream()
                        .filter(segment -> segment.type == SEGMENT_INTERPRETER)
                        .findFirst()
                        .map(segment -> text(bytes, segment.offset)),
                needed(bytes, segments)));
    }

    private static List<Segment> segments(ByteBuffer bytes) {
        var segments = new ArrayList<Segment>();
        int size = bytes.getShort(54);
        for (int i = 0; i < bytes.getShort(56); i++) {
            int at = (int) bytes.getLong(32) + i * size;
            segments.add(new Segment(
                    bytes.getInt(at), bytes.getLong(at + 8), bytes.getLong(at + 16), bytes.getLong(at + 32)));
        }
        return segments;
    }

    private static List<String> needed(ByteBuffer bytes, List<Segment> segments) {
        var names = new ArrayList<Long>();
        long strings = 0;
        for (var dynamic : segments) {
            if (dynamic.type != SEGMENT_DYNAMIC) {
                continue;
            }
            for (long at = dynamic.offset; at < dynamic.offset + dynamic.size; at += 16) {
                long tag = bytes.getLong((int) at);
                long value = bytes.getLong((int) at + 8);
                if (tag == ENTRY_NEEDED) {
                    names.add(value);
                } else if (tag == ENTRY_STRINGS) {
                    strings = offset(segments, value);
                }
            }
        }
        long table = strings;
        return names.stream().map(name -> text(bytes, table + name)).toList();
    }

    private static long offset(List<Segment> segments, long address) {
        for (var segment : segments) {
            if (segment.type == SEGMENT_LOADED
                    && address >= segment.address
                    && address < segment.address + segment.size) {
                return address - segment.address + segment.offset;
            }
        }
        return address;
    }

    private static String text(ByteBuffer bytes, long from) {
        int end = (int) from;
        while (bytes.get(end) != 0) {
            end++;
        }
        var text = new byte[end - (int) from];
        bytes.get((int) from, text);
        return new String(text, StandardCharsets.UTF_8);
    }
}
