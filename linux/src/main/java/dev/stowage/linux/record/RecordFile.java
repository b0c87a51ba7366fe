package dev.stowage.linux.record;

import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.file.Directory;
import dev.stowage.linux.file.FileHandle;
import dev.stowage.linux.internal.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.security.SecureRandom;

/** The file of a record log, open for appending. One thread at a time. */
final class RecordFile implements AutoCloseable {
    /** Zeros are kept ready beyond the end: overwriting them is one disk write, growing the file is several. */
    private static final int READY_ROOM = 256 * 1024;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final FileHandle file;
    private final long salt;
    private long end;
    private long room;

    private RecordFile(FileHandle file, long salt, long end, long room) {
        this.file = file;
        this.salt = salt;
        this.end = end;
        this.room = room;
    }

    /** A file with a header and nothing else, not yet durable. */
    static RecordFile create(Directory directory, String name) {
        var salt = RANDOM.nextLong();
        var file = directory.create(name);
        try {
            file.write(Frame.header(salt), 0);
            return new RecordFile(file, salt, Frame.HEADER, Frame.HEADER);
        } catch (RuntimeException failure) {
            file.close();
            throw failure;
        }
    }

    /** A file whose frames have been replayed up to the given end. */
    static RecordFile existing(FileHandle file, ByteBuffer content, long end) {
        return new RecordFile(file, Frame.salt(content), end, content.capacity());
    }

    long end() {
        return end;
    }

    /**
     * Appends one frame and returns where its payload begins; the caller makes it an effect. With {@code durable} it is on stable storage then. A full
     * filesystem leaves the file as it was; after any other failure it must not be written again.
     */
    long append(ByteBuffer payload, boolean durable) {
        var length = payload.remaining();
        try (var arena = Arena.ofConfined()) {
            var frame = arena.allocate(Frame.OVERHEAD + length);
            var view = frame.asByteBuffer();
            view.putInt(length);
            view.putInt(Frame.checksum(salt, end, length, payload.duplicate()));
            view.put(payload);
            makeRoom(frame.byteSize(), arena);
            write(frame, end);
            if (durable) {
                Libc.check(Libc.fdatasync(file.descriptor()), "fdatasync", file.path());
            }
            var start = end + Frame.OVERHEAD;
            end += frame.byteSize();
            return start;
        }
    }

    byte[] read(long offset, int length) {
        var value = ByteBuffer.allocate(length);
        while (value.hasRemaining()) {
            if (file.read(value, offset + value.position()) < 0) {
                throw new SyscallException("read", file.path() + " (it is shorter than it was)", Errno.EIO.number());
            }
        }
        return value.array();
    }

    void sync() {
        file.sync();
    }

    @Override
    public void close() {
        file.close();
    }

    private void makeRoom(long bytes, Arena arena) {
        if (end + bytes <= room) {
            return;
        }
        try {
            extend(end + bytes + READY_ROOM, arena);
        } catch (RoomException nearlyFull) {
            extend(end + bytes, arena);
        }
    }

    private void extend(long wanted, Arena arena) {
        try {
            // What allocate() gives is zeroed.
            write(arena.allocate(wanted - room), room);
            room = wanted;
        } catch (SyscallException failure) {
            if (failure.is(Errno.ENOSPC) || failure.is(Errno.EDQUOT)) {
                Libc.check(Libc.ftruncate(file.descriptor(), room), "truncate", file.path());
                throw new RoomException(failure);
            }
            throw failure;
        }
    }

    private void write(MemorySegment content, long offset) {
        long done = 0;
        while (done < content.byteSize()) {
            var count = Libc.pwrite(file.descriptor(), content.asSlice(done), content.byteSize() - done, offset + done);
            if (count == -Errno.EINTR.number()) {
                continue;
            }
            done += Libc.check(count, "write", file.path());
        }
    }

    /** No space for the frame, and the file is as it was. */
    static final class RoomException extends RuntimeException {
        RoomException(SyscallException cause) {
            super(cause);
        }
    }
}
