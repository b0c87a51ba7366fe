package dev.stowage.cli.tour;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Somebody who writes a number to one volume, then the same number to another, without a pause.
 *
 * <p>At any one instant the first is equal to the second or one ahead. Two snapshots that were not taken at one instant show other
 * pairs.
 */
final class TwoLedgers implements AutoCloseable {

    private static final String FILE = "ledger";

    private final Thread writer;
    private volatile boolean stopped;

    TwoLedgers(Path first, Path second) {
        writer = Thread.ofPlatform().name("ledgers").start(() -> write(first.resolve(FILE), second.resolve(FILE)));
    }

    private void write(Path first, Path second) {
        try (var one = open(first);
                var two = open(second)) {
            for (long number = 1; !stopped; number++) {
                put(one, number);
                put(two, number);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    private static void put(FileChannel channel, long number) throws IOException {
        channel.write(ByteBuffer.allocate(Long.BYTES).putLong(number).flip(), 0);
        channel.force(false);
    }

    static long read(Path directory) throws IOException {
        var buffer = ByteBuffer.allocate(Long.BYTES);
        try (var channel = FileChannel.open(directory.resolve(FILE))) {
            while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
                // A short read goes on where it stopped.
            }
        }
        return buffer.flip().remaining() < Long.BYTES ? 0 : buffer.getLong();
    }

    @Override
    public void close() {
        stopped = true;
        try {
            writer.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
