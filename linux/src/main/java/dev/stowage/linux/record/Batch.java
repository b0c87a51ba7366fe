package dev.stowage.linux.record;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The changes of all who wait for the same write, encoded one after another: kind, length of the key, key and, for a put, length
 * of the value and value.
 */
final class Batch {
    static final byte PUT = 1;
    static final byte REMOVE = 2;

    /** Where the value of a key lies relative to the beginning of the batch; no value when the key is removed. */
    record Entry(String key, int valueOffset, int valueLength, int encodedBytes, boolean put) {}

    private final ByteArrayOutputStream encoded = new ByteArrayOutputStream(512);
    private final List<Entry> entries = new ArrayList<>();
    private boolean finished;
    private @Nullable RuntimeException failure;

    void add(List<Change> changes) {
        for (var change : changes) {
            switch (change) {
                case Change.Put(var key, var value) -> put(key, value);
                case Change.Remove(var key) -> {
                    key(REMOVE, key);
                    entries.add(new Entry(key, 0, 0, 0, false));
                }
            }
        }
    }

    /** Adds another batch as a whole, so that a change that cannot be encoded never leaves half a commit among the others. */
    void add(Batch other) {
        var base = encoded.size();
        encoded.writeBytes(other.encoded.toByteArray());
        for (var entry : other.entries) {
            entries.add(new Entry(
                    entry.key(), base + entry.valueOffset(), entry.valueLength(), entry.encodedBytes(), entry.put()));
        }
    }

    private void put(String key, byte[] value) {
        var start = encoded.size();
        key(PUT, key);
        number(value.length, 4);
        var at = encoded.size();
        encoded.writeBytes(value);
        entries.add(new Entry(key, at, value.length, encoded.size() - start, true));
    }

    private void key(byte kind, String key) {
        var bytes = key.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > 0xFFFF) {
            throw new IllegalArgumentException("a key of " + bytes.length + " bytes is too long");
        }
        encoded.write(kind);
        number(bytes.length, 2);
        encoded.writeBytes(bytes);
    }

    private void number(int value, int bytes) {
        for (int shift = (bytes - 1) * 8; shift >= 0; shift -= 8) {
            encoded.write(value >>> shift);
        }
    }

    int size() {
        return encoded.size();
    }

    ByteBuffer content() {
        return ByteBuffer.wrap(encoded.toByteArray());
    }

    List<Entry> entries() {
        return entries;
    }

    void finish(@Nullable RuntimeException reason) {
        finished = true;
        failure = reason;
    }

    boolean finished() {
        return finished;
    }

    @Nullable
    RuntimeException failure() {
        return failure;
    }
}
