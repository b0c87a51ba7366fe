package dev.stowage.linux.record;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Reads a file's frames in order. What it finds is the state that was durable last. */
final class Replay {
    private final Path path;
    private final ByteBuffer file;
    private final Map<String, Place> places = new HashMap<>();
    private int end = Frame.HEADER;
    private boolean torn;

    Replay(Path path, ByteBuffer file) {
        this.path = path;
        this.file = file;
    }

    /** Throws, having changed nothing, when the file is damaged in a way that a crash does not explain. */
    Replay run() {
        if (!Frame.headerValid(file)) {
            throw damaged(0, "it does not begin as a record log of a version known here");
        }
        var salt = Frame.salt(file);
        while (Frame.validAt(file, salt, end)) {
            var length = file.getInt(end);
            apply(end + Frame.OVERHEAD, length);
            end += Frame.OVERHEAD + length;
        }
        if (!restIsZero()) {
            // A frame is written only after all before it are durable. One that is whole beyond a damaged one means
            // that
            // the damaged one was whole once, too, and someone was told so.
            for (int offset = end + 1; offset < file.capacity() - Frame.OVERHEAD; offset++) {
                if (Frame.validAt(file, salt, offset)) {
                    throw damaged(end, "a record there is damaged, and sound ones follow at offset " + offset);
                }
            }
            torn = true;
        }
        return this;
    }

    /** Where the next frame goes. */
    int end() {
        return end;
    }

    /** Whether a write was under way when the writer ended. */
    boolean torn() {
        return torn;
    }

    Map<String, Place> places() {
        return places;
    }

    Map<String, byte[]> values() {
        var values = HashMap.<String, byte[]>newHashMap(places.size());
        places.forEach((key, place) -> {
            var value = new byte[place.length()];
            file.get((int) place.offset(), value);
            values.put(key, value);
        });
        return values;
    }

    private void apply(int from, int length) {
        var frame = file.slice(from, length);
        while (frame.hasRemaining()) {
            var start = frame.position();
            var kind = frame.get();
            var name = new byte[Short.toUnsignedInt(frame.getShort())];
            frame.get(name);
            var key = new String(name, StandardCharsets.UTF_8);
            switch (kind) {
                case Batch.PUT -> {
                    var size = frame.getInt();
                    var at = frame.position();
                    frame.position(at + size);
                    places.put(key, new Place((long) from + at, size, frame.position() - start));
                }
                case Batch.REMOVE -> places.remove(key);
                default -> throw damaged(from + start, "a change of unknown kind " + kind);
            }
        }
    }

    private boolean restIsZero() {
        for (int offset = end; offset < file.capacity(); offset++) {
            if (file.get(offset) != 0) {
                return false;
            }
        }
        return true;
    }

    private RecordLogException damaged(int offset, String what) {
        return new RecordLogException(
                "the record log %s is damaged at offset %d: %s. Nothing was changed. Keep a copy of the file, then restore it from a backup or ask for help"
                        .formatted(path, offset, what));
    }
}
