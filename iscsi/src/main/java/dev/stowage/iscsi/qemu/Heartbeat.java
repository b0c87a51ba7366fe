package dev.stowage.iscsi.qemu;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads one block of a unit again and again, past every cache, to know whether the target still answers. */
final class Heartbeat {

    private static final int BLOCK = 4096;

    private final Path disk;
    private volatile @Nullable Thread reading;
    private volatile long since;
    private volatile @Nullable String failure;

    Heartbeat(Path disk) {
        this.disk = disk;
    }

    /** Begins to read, unless the last read has not ended yet. */
    void beat() {
        var last = reading;
        if (last != null && last.isAlive()) {
            return;
        }
        since = System.nanoTime();
        // A thread of its own that may hang: it ends at the latest with the unit's process.
        reading = Thread.ofPlatform().daemon().name("iscsi-heartbeat").start(this::read);
    }

    private void read() {
        try (var channel = FileChannel.open(disk, StandardOpenOption.READ, ExtendedOpenOption.DIRECT)) {
            var room = ByteBuffer.allocateDirect(2 * BLOCK).alignedSlice(BLOCK).limit(BLOCK);
            channel.read(room, 0);
            failure = null;
        } catch (IOException failed) {
            failure = String.valueOf(failed.getMessage());
        }
    }

    /** How long the target has not answered. */
    Duration silence() {
        var last = reading;
        return last == null || !last.isAlive() ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - since);
    }

    /** Why the last read failed. */
    Optional<String> failure() {
        return Optional.ofNullable(failure);
    }
}
