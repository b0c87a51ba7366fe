package dev.stowage.lab.guest;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Writes and reads blocks of a device, past every cache. */
final class Blocks {

    private static final int BLOCK = 4096;

    private Blocks() {}

    static void write(Path device, int number, int value) throws IOException {
        var block = aligned();
        while (block.hasRemaining()) {
            block.put((byte) value);
        }
        try (var channel = FileChannel.open(device, StandardOpenOption.WRITE, ExtendedOpenOption.DIRECT)) {
            channel.write(block.flip(), (long) number * BLOCK);
            channel.force(true);
        }
    }

    static int read(Path device, int number) throws IOException {
        try (var channel = FileChannel.open(device, StandardOpenOption.READ, ExtendedOpenOption.DIRECT)) {
            var block = aligned();
            channel.read(block, (long) number * BLOCK);
            return block.get(0);
        }
    }

    private static ByteBuffer aligned() {
        return ByteBuffer.allocateDirect(2 * BLOCK).alignedSlice(BLOCK).limit(BLOCK);
    }
}
