package dev.stowage.conformance.snapshot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Somebody who writes a number to one volume, then the same number to the next, and so on, without a pause and without a sync.
 *
 * <p>At any one instant no ledger is ahead of the one before it, and none is behind by more than one.
 */
final class Ledgers implements AutoCloseable {

    private static final String FILE = "ledger";

    private final Thread writer;
    private volatile boolean stopped;
    private volatile long written;

    Ledgers(List<Path> directories) {
        writer = Thread.ofPlatform().name("ledgers").start(() -> write(directories));
    }

    private void write(List<Path> directories) {
        var channels = directories.stream().map(Ledgers::open).toList();
        try {
            for (long number = 1; !stopped; number++) {
                for (FileChannel channel : channels) {
                    channel.write(
                            ByteBuffer.allocate(Long.BYTES).putLong(number).flip(), 0);
                }
                written = number;
            }
            for (FileChannel channel : channels) {
                channel.close();
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static FileChannel open(Path directory) {
        try {
            return FileChannel.open(directory.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** How far it is. It stands still while its filesystems are frozen. */
    long written() {
        return written;
    }

    static long read(Path directory) throws IOException {
        var buffer = ByteBuffer.allocate(Long.BYTES);
        try (var channel = FileChannel.open(directory.resolve(FILE))) {
            channel.read(buffer, 0);
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
