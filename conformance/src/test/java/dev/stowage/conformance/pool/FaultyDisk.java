package dev.stowage.conformance.pool;

import dev.stowage.conformance.harness.Workspace;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * A disk that fails to read where it is told to, as a worn one would, until it is mended.
 *
 * <p>It is a file on btrfs, which keeps checksums. Changing a block behind its back makes every read of that block an I/O error;
 * changing it back makes it readable again.
 */
public final class FaultyDisk implements AutoCloseable {

    private static final int BLOCK = 4096;

    private final Path below;
    private final Path mountPoint;
    private final Path file;
    private final Path device;
    private long damagedAt = -1;

    private FaultyDisk(Path below, Path mountPoint, Path file, Path device) {
        this.below = below;
        this.mountPoint = mountPoint;
        this.file = file;
        this.device = device;
    }

    public static FaultyDisk create(Workspace workspace, Media media, long size) {
        Path below = media.file("below.img", 2 * size);
        Workspace.run("mkfs.btrfs", "-q", below.toString());
        Path mountPoint = media.mount(media.disk(below), "below");
        Path file = mountPoint.resolve("disk.img");
        Workspace.run("truncate", "-s", Long.toString(size), file.toString());
        return new FaultyDisk(below, mountPoint, file, media.disk(file));
    }

    public Path device() {
        return device;
    }

    /** Puts a text on the disk. */
    public void fill(long offset, String text) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)), offset);
        }
    }

    /** Makes the block that holds these bytes unreadable. */
    public void damage(byte[] content) throws IOException {
        Workspace.run("sync", "-f", mountPoint.toString());
        damagedAt = find(content);
        flip();
        forget();
    }

    public void damage(String content) throws IOException {
        damage(content.getBytes(StandardCharsets.US_ASCII));
    }

    /** Makes it readable again. */
    public void mend() throws IOException {
        if (damagedAt >= 0) {
            flip();
            damagedAt = -1;
            forget();
        }
    }

    private void flip() throws IOException {
        try (var opened = new RandomAccessFile(below.toFile(), "rw")) {
            opened.seek(damagedAt);
            int value = opened.read();
            opened.seek(damagedAt);
            opened.write(value ^ 0xff);
            opened.getFD().sync();
        }
    }

    /** What the kernel read before would hide what is on the disk now. */
    private static void forget() throws IOException {
        Workspace.run("sync");
        Files.writeString(Path.of("/proc/sys/vm/drop_caches"), "3");
    }

    private long find(byte[] content) throws IOException {
        var chunk = new byte[1 << 20];
        long found = -1;
        try (var opened = new RandomAccessFile(below.toFile(), "r")) {
            for (long at = 0; at < opened.length(); at += chunk.length) {
                opened.seek(at);
                opened.readFully(chunk);
                for (int block = 0; block < chunk.length; block += BLOCK) {
                    if (Arrays.equals(chunk, block, block + content.length, content, 0, content.length)) {
                        found = at + block;
                    }
                }
            }
        }
        if (found < 0) {
            throw new IllegalStateException("the content to be damaged is not on the disk");
        }
        return found;
    }

    @Override
    public void close() throws IOException {
        mend();
    }
}
