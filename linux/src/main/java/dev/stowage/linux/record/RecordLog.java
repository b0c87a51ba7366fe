package dev.stowage.linux.record;

import dev.stowage.linux.effect.Effects;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A durable map from a key to some bytes: an append-only file of checked frames, each holding changes that belong together.
 *
 * <p>Callers that commit at the same time share one write and one flush: the first to find nobody writing writes for all who wait.
 * After a failed write or flush nothing is known about the file's end, so the log takes no more changes until it is opened anew.
 */
public final class RecordLog implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RecordLog.class);

    private static final long COMPACT_FROM = 1 << 20;
    private static final int COMPACT_FACTOR = 4;

    private final Path file;
    private final FileChannel lockFile;
    private final ReentrantLock turn = new ReentrantLock();
    private final Condition written = turn.newCondition();
    /** Kept for compaction; the values belong to the log. */
    private final Map<String, byte[]> live = new HashMap<>();

    private FileChannel channel;
    private long liveBytes;
    private long fileBytes;
    private Batch gathering = new Batch();
    private boolean writing;
    private @Nullable IOException broken;
    private @Nullable Map<String, byte[]> initial;

    /** Changes that reach the disk together. */
    private static final class Batch {
        private final List<List<Change>> commits = new ArrayList<>();
        private boolean done;
        private @Nullable IOException failure;
    }

    private RecordLog(
            Path file, FileChannel lockFile, FileChannel channel, Map<String, byte[]> records, long fileBytes) {
        this.file = file;
        this.lockFile = lockFile;
        this.channel = channel;
        this.initial = records;
        this.fileBytes = fileBytes;
        records.forEach((key, value) -> {
            live.put(key, value);
            liveBytes += Frames.sizeOf(key, value);
        });
    }

    /**
     * Opens the log, making it if it is not there, for this process alone.
     *
     * @param owner what the process is, for the message to whoever comes second
     */
    public static RecordLog open(Path file, String owner) {
        try {
            var lockFile = lock(file, owner);
            try {
                return open(file, lockFile);
            } catch (IOException | RuntimeException failure) {
                lockFile.close();
                throw failure;
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(
                    "record log " + file + " cannot be opened: " + failure.getMessage(), failure);
        }
    }

    private static FileChannel lock(Path file, String owner) throws IOException {
        Path path = file.resolveSibling(file.getFileName() + ".lock");
        var channel = FileChannel.open(
                path,
                Set.of(
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS));
        FileLock held = null;
        try {
            held = channel.tryLock();
        } catch (OverlappingFileLockException ours) {
            log.debug("{} is locked by this very process", path);
        }
        if (held == null) {
            String holder = new String(Files.readAllBytes(path), StandardCharsets.UTF_8).strip();
            channel.close();
            throw new IOException(owner + " is already served by " + (holder.isEmpty() ? "another process" : holder)
                    + "; stop it first");
        }
        channel.truncate(0);
        channel.write(
                ByteBuffer.wrap(("process " + ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.UTF_8)));
        return channel;
    }

    private static RecordLog open(Path file, FileChannel lockFile) throws IOException {
        Files.deleteIfExists(compacting(file));
        var channel = FileChannel.open(
                file,
                Set.of(
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS));
        try {
            var records = new LinkedHashMap<String, byte[]>();
            byte[] content = Files.readAllBytes(file);
            long good = Frames.replay(file, content, records);
            if (good < content.length) {
                log.warn(
                        "record log {}: {} bytes of an unfinished write at its end are dropped",
                        file,
                        content.length - good);
            }
            if (good < Frames.HEADER.length) {
                channel.truncate(0);
                channel.write(ByteBuffer.wrap(Frames.HEADER), 0);
                channel.force(true);
                syncDirectory(file);
                good = Frames.HEADER.length;
            } else if (good < content.length) {
                channel.truncate(good);
                channel.force(true);
            }
            channel.position(good);
            return new RecordLog(file, lockFile, channel, records, good);
        } catch (IOException | RuntimeException failure) {
            channel.close();
            throw failure;
        }
    }

    /** What was on record when the log was opened; given once. */
    public Map<String, byte[]> takeInitial() {
        turn.lock();
        try {
            var taken = initial;
            initial = null;
            return taken == null ? Map.of() : taken;
        } finally {
            turn.unlock();
        }
    }

    /** Makes the changes, all of them or none, and returns when they are on the disk. */
    public void commit(List<Change> changes) {
        if (changes.isEmpty()) {
            return;
        }
        Effects.run("record", changes.getFirst().key(), () -> {
            turn.lock();
            try {
                var mine = gathering;
                mine.commits.add(changes);
                while (!mine.done && writing) {
                    written.awaitUninterruptibly();
                }
                if (!mine.done) {
                    lead(mine);
                }
                if (mine.failure != null) {
                    throw new UncheckedIOException(
                            "record log " + file + " cannot be written: " + mine.failure.getMessage()
                                    + "; nothing more is changed until the driver is restarted",
                            mine.failure);
                }
            } finally {
                turn.unlock();
            }
        });
    }

    /** Writes for everybody who is waiting. Others gather for the next turn meanwhile. */
    private void lead(Batch batch) {
        writing = true;
        gathering = new Batch();
        var failure = broken;
        turn.unlock();
        try {
            if (failure == null) {
                write(batch);
            }
        } catch (IOException failed) {
            failure = failed;
        } finally {
            turn.lock();
            broken = failure;
            batch.failure = failure;
            batch.done = true;
            writing = false;
            written.signalAll();
        }
    }

    private void write(Batch batch) throws IOException {
        var frames = new ArrayList<byte[]>();
        int total = 0;
        for (List<Change> commit : batch.commits) {
            byte[] frame = Frames.encode(commit);
            frames.add(frame);
            total += frame.length;
        }
        var buffer = ByteBuffer.allocate(total);
        frames.forEach(buffer::put);
        buffer.flip();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
        channel.force(false);
        fileBytes += total;
        batch.commits.forEach(commit -> commit.forEach(this::apply));
        if (fileBytes > COMPACT_FROM && fileBytes > COMPACT_FACTOR * liveBytes) {
            compact();
        }
    }

    private void apply(Change change) {
        byte[] before = switch (change) {
            case Change.Put(var key, var value) -> {
                liveBytes += Frames.sizeOf(key, value);
                yield live.put(key, value);
            }
            case Change.Remove(var key) -> live.remove(key);
        };
        if (before != null) {
            liveBytes -= Frames.sizeOf(change.key(), before);
        }
    }

    /** Writes what is live to a new file and puts it in the old one's place. A crash leaves one of the two, whole. */
    private void compact() throws IOException {
        Path fresh = compacting(file);
        var compacted = FileChannel.open(
                fresh, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
        compacted.write(ByteBuffer.wrap(Frames.HEADER));
        var changes = new ArrayList<Change>();
        live.forEach((key, value) -> changes.add(new Change.Put(key, value)));
        for (int from = 0; from < changes.size(); from += 1000) {
            var buffer = ByteBuffer.wrap(Frames.encode(changes.subList(from, Math.min(changes.size(), from + 1000))));
            while (buffer.hasRemaining()) {
                compacted.write(buffer);
            }
        }
        compacted.force(true);
        Effects.run("compact", file.toString(), () -> {
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
            syncDirectory(file);
        });
        channel.close();
        channel = compacted;
        fileBytes = compacted.position();
    }

    private static Path compacting(Path file) {
        return file.resolveSibling(file.getFileName() + ".compacting");
    }

    private static void syncDirectory(Path file) throws IOException {
        try (var directory = FileChannel.open(file.toAbsolutePath().getParent())) {
            directory.force(true);
        }
    }

    @Override
    public void close() {
        turn.lock();
        try {
            while (writing) {
                written.awaitUninterruptibly();
            }
            channel.close();
            lockFile.close();
        } catch (IOException failure) {
            throw new UncheckedIOException("record log " + file + " cannot be closed", failure);
        } finally {
            turn.unlock();
        }
    }
}
