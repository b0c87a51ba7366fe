package dev.stowage.array.testing;

import dev.stowage.linux.command.Commands;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A directory on a filesystem of its own that can share blocks. */
public final class SharingDirectory implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final long BYTES = 2L << 30;

    private final Path scratch;
    private final Path path;

    public SharingDirectory() throws IOException {
        scratch = Files.createTempDirectory("stowage-array").toRealPath();
        path = Files.createDirectory(scratch.resolve("mnt"));
        var image = scratch.resolve("image");
        try (var file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(BYTES);
        }
        Commands.run(PATIENCE, "mkfs.xfs", "-q", image.toString()).orThrow();
        Commands.run(PATIENCE, "mount", "-o", "loop", image.toString(), path.toString())
                .orThrow();
    }

    /** The kernel gives up the loop device of a filesystem inside a moment after that one was unmounted. */
    private void unmount() {
        long end = System.nanoTime() + PATIENCE.toNanos();
        var result = Commands.run(PATIENCE, "umount", path.toString());
        while (result.exitCode() != 0 && System.nanoTime() < end) {
            try {
                Thread.sleep(100);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                break;
            }
            result = Commands.run(PATIENCE, "umount", path.toString());
        }
        var _ = result.orThrow();
    }

    public Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        unmount();
        Files.delete(scratch.resolve("image"));
        Files.delete(path);
        Files.delete(scratch);
    }
}
