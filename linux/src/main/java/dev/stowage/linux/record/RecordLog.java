package dev.stowage.linux.record;

import dev.stowage.linux.effect.Effects;
import dev.stowage.linux.file.Directory;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A durable map from keys to bytes, for the records that must survive a crash. What {@link #commit} has returned from is on
 * stable storage. Commits that come together share one disk write: one of the callers writes for all.
 *
 * <p>The file only grows, and is rewritten when most of it is out of date. A sibling ending in {@code .lock} keeps a second
 * process out; one ending in {@code .new} is the rewritten file before it takes the old one's place.
 */
public final class RecordLog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RecordLog.class);
    private static final long COMPACT_FROM = 1024 * 1024;
    private static final int COMPACT_RATIO = 4;
    private static final int COMPACT_FRAME = 256 * 1024;

    private final Path path;
    private final String name;
    private final Directory directory;
    private final LockFile lockFile;
    private final Map<String, Place> live;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition batchEnded = lock.newCondition();

    private RecordFile file;
    private @Nullable Map<String, byte[]> initial;
    private long liveBytes;
    private long compactFrom = COMPACT_FROM;
    private Batch waiting = new Batch();
    private boolean writing;
    private boolean closed;
    private @Nullable RuntimeException broken;

    private RecordLog(Path path, Directory directory, LockFile lockFile) {
        this.path = path;
        this.name = name(path);
        this.directory = directory;
        this.lockFile = lockFile;
        if (directory.unlink(temporary())) {
            directory.sync();
        }
        if (!directory.exists(name)) {
            createFile();
        }
        var opened = directory.open(name, true);
        try (var arena = Arena.ofConfined()) {
            var content = content(opened.size(), arena);
            while (content.hasRemaining() && opened.read(content, content.position()) >= 0) {
                // until all is read
            }
            content.clear();
            var replay = new Replay(path, content).run();
            this.live = replay.places();
            this.initial = replay.values();
            if (replay.torn()) {
                LOG.warn(
                        "the record log {} ended in an unfinished write, as after a crash; {} bytes from offset {} on are dropped",
                        path,
                        content.capacity() - replay.end(),
                        replay.end());
                opened.truncate(replay.end());
                opened.sync();
                content = content.slice(0, replay.end());
            }
            this.file = RecordFile.existing(opened, content, replay.end());
        } catch (RuntimeException failure) {
            opened.close();
            throw failure;
        }
        live.values().forEach(place -> liveBytes += place.encodedBytes());
    }

    /**
     * Opens a log, or makes an empty one, for this process alone.
     *
     * @param owner who opens it, for the message that a second one gets
     */
    public static RecordLog open(Path file, String owner) {
        var parent = file.toAbsolutePath().getParent();
        if (parent == null) {
            throw new IllegalArgumentException(file + " is not a file in a directory");
        }
        var directory = Directory.open(parent);
        try {
            var lockFile = LockFile.take(directory, name(file) + ".lock", file, owner);
            try {
                return new RecordLog(file, directory, lockFile);
            } catch (RuntimeException failure) {
                lockFile.close();
                throw failure;
            }
        } catch (RuntimeException failure) {
            directory.close();
            throw failure;
        }
    }

    /** What the log held when it was opened. It is kept only until it is taken. */
    public Map<String, byte[]> takeInitial() {
        lock.lock();
        try {
            var taken = initial;
            if (taken == null) {
                throw new IllegalStateException("the initial records of " + path + " have been taken already");
            }
            initial = null;
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Makes all the changes or, when it throws, perhaps none and perhaps all: after a failed write nothing is certain until the
     * log is opened again, and until then every further commit fails. Only a full filesystem is told apart: then nothing was
     * changed and a later commit may succeed.
     */
    public void commit(List<Change> changes) {
        if (changes.isEmpty()) {
            return;
        }
        var own = new Batch();
        own.add(changes);
        // One effect for each who commits, on their own thread, whoever writes for them.
        Effects.run("record", changes.getFirst().key(), () -> {
            var batch = join(own);
            if (!batch.finished()) {
                write(batch);
            }
            rethrow(batch);
        });
    }

    @Override
    public void close() {
        lock.lock();
        try {
            while (writing) {
                batchEnded.awaitUninterruptibly();
            }
            if (closed) {
                return;
            }
            closed = true;
        } finally {
            lock.unlock();
        }
        file.close();
        lockFile.close();
        directory.close();
    }

    /** Adds the changes to the batch that is filling. Returns when it is written, or when this caller has to write it. */
    private Batch join(Batch own) {
        lock.lock();
        try {
            requireSound();
            var batch = waiting;
            batch.add(own);
            while (!batch.finished() && writing) {
                batchEnded.awaitUninterruptibly();
            }
            if (!batch.finished()) {
                writing = true;
                waiting = new Batch();
            }
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private void write(Batch batch) {
        RuntimeException failure = null;
        long start = 0;
        try {
            requireSound();
            start = file.append(batch.content(), true);
        } catch (RecordFile.RoomException full) {
            failure = new RecordLogException(
                    "cannot record in %s: its filesystem is full. Nothing was changed; make room and try again"
                            .formatted(path),
                    full);
        } catch (RecordLogException refused) {
            failure = refused;
        } catch (RuntimeException | Error writeFailure) {
            failure = new RecordLogException(
                    "writing the record log %s failed (%s); it takes no more records until the process is started again"
                            .formatted(path, writeFailure.getMessage()),
                    writeFailure);
            broken = failure;
        }
        finish(batch, start, failure);
    }

    private void finish(Batch batch, long start, @Nullable RuntimeException failure) {
        boolean compact;
        lock.lock();
        try {
            if (failure == null) {
                batch.entries().forEach(entry -> apply(entry, start));
            }
            batch.finish(failure);
            compact = failure == null && file.end() > compactFrom && file.end() > COMPACT_RATIO * liveBytes;
            writing = compact;
            batchEnded.signalAll();
        } finally {
            lock.unlock();
        }
        if (compact) {
            compact();
        }
    }

    private void apply(Batch.Entry entry, long start) {
        var replaced = entry.put()
                ? live.put(
                        entry.key(), new Place(start + entry.valueOffset(), entry.valueLength(), entry.encodedBytes()))
                : live.remove(entry.key());
        liveBytes += entry.encodedBytes() - (replaced == null ? 0 : replaced.encodedBytes());
    }

    /** Writes what is live to a new file that takes the old one's place. Runs while {@code writing} keeps others waiting. */
    private void compact() {
        try {
            var moved = new HashMap<String, Place>();
            var replacement = rewritten(moved);
            if (replacement == null) {
                compactFrom = file.end() * 2;
            } else {
                replace(replacement, moved);
            }
        } finally {
            endWriting();
        }
    }

    private void endWriting() {
        lock.lock();
        try {
            writing = false;
            batchEnded.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** A file with what is live, durable under its temporary name; null when it could not be made. */
    private @Nullable RecordFile rewritten(Map<String, Place> moved) {
        RecordFile replacement = null;
        try {
            directory.unlink(temporary());
            replacement = RecordFile.create(directory, temporary());
            copyLive(replacement, moved);
            replacement.sync();
            return replacement;
        } catch (RuntimeException failure) {
            LOG.warn("the record log {} could not be made smaller and goes on growing: {}", path, failure.getMessage());
            if (replacement != null) {
                replacement.close();
            }
            return null;
        }
    }

    private void replace(RecordFile replacement, Map<String, Place> moved) {
        try {
            directory.rename(temporary(), name);
            directory.sync();
        } catch (RuntimeException failure) {
            // Which of the two files has the name after a crash is not known, so neither may be written.
            broken = new RecordLogException(
                    "replacing the record log %s failed (%s); it takes no more records until the process is started again"
                            .formatted(path, failure.getMessage()),
                    failure);
            replacement.close();
            return;
        }
        file.close();
        file = replacement;
        live.putAll(moved);
        compactFrom = COMPACT_FROM;
    }

    private void copyLive(RecordFile replacement, Map<String, Place> moved) {
        var batch = new Batch();
        for (var entry : live.entrySet()) {
            var place = entry.getValue();
            batch.add(List.of(new Change.Put(entry.getKey(), file.read(place.offset(), place.length()))));
            if (batch.size() >= COMPACT_FRAME) {
                append(replacement, batch, moved);
                batch = new Batch();
            }
        }
        if (batch.size() > 0) {
            append(replacement, batch, moved);
        }
    }

    private void append(RecordFile replacement, Batch batch, Map<String, Place> moved) {
        long start = Effects.perform("compact", path.toString(), () -> replacement.append(batch.content(), false));
        batch.entries()
                .forEach(entry -> moved.put(
                        entry.key(),
                        new Place(start + entry.valueOffset(), entry.valueLength(), entry.encodedBytes())));
    }

    private void createFile() {
        try (var empty = RecordFile.create(directory, temporary())) {
            empty.sync();
        }
        directory.rename(temporary(), name);
        directory.sync();
    }

    private ByteBuffer content(long size, Arena arena) {
        if (size > Integer.MAX_VALUE) {
            throw new RecordLogException("the record log " + path + " has " + size + " bytes, more than can be right");
        }
        return size == 0 ? ByteBuffer.allocate(0) : arena.allocate(size).asByteBuffer();
    }

    private void requireSound() {
        if (closed) {
            throw new RecordLogException("the record log " + path + " is closed");
        }
        if (broken != null) {
            throw broken;
        }
    }

    private static void rethrow(Batch batch) {
        var failure = batch.failure();
        if (failure != null) {
            throw failure;
        }
    }

    private String temporary() {
        return name + ".new";
    }

    private static String name(Path file) {
        var last = file.getFileName();
        if (last == null) {
            throw new IllegalArgumentException(file + " is not a file in a directory");
        }
        return last.toString();
    }
}
