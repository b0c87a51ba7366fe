package dev.stowage.workbench.cluster;

import dev.stowage.workbench.story.Story;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** One at a time starts a cluster or takes it down, and one at a time chooses a network. The kernel lets the lock go when its holder ends, however it ends. */
final class ClusterLock implements AutoCloseable {
    private final Path file;
    private final FileChannel channel;

    private ClusterLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    static ClusterLock take(Layout layout, Story story) {
        return take(layout.lock(), "the cluster " + layout.name(), story);
    }

    static ClusterLock takeNetworks(Layout layout, Story story) {
        return take(layout.networksLock(), "the choice of a network", story);
    }

    private static ClusterLock take(Path file, String what, Story story) {
        try {
            Files.createDirectories(file.getParent());
            while (true) {
                var channel = FileChannel.open(
                        file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
                if (locked(channel, what, story) && isStillThere(file, channel)) {
                    return new ClusterLock(file, channel);
                }
                channel.close();
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot lock " + file, failure);
        }
    }

    /** With the cluster goes its lock, and who waited for it finds that out. */
    void remove() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot remove " + file, failure);
        }
    }

    private static boolean locked(FileChannel channel, String what, Story story) throws IOException {
        try {
            if (channel.tryLock() == null) {
                story.say("  another process is at work on %s; waiting for it".formatted(what));
                channel.lock();
            }
            return true;
        } catch (OverlappingFileLockException ownProcess) {
            throw new IllegalStateException("this process is already at work on " + what, ownProcess);
        }
    }

    private static boolean isStillThere(Path file, FileChannel channel) throws IOException {
        var token = UUID.randomUUID().toString();
        channel.truncate(0).write(ByteBuffer.wrap(token.getBytes(StandardCharsets.US_ASCII)), 0);
        return Files.exists(file) && Files.readString(file).equals(token);
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot unlock " + file, failure);
        }
    }
}
