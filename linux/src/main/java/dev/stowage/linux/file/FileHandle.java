package dev.stowage.linux.file;

import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.effect.Effects;
import dev.stowage.linux.internal.Libc;
import dev.stowage.linux.internal.Statx;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** An opened regular file. */
public final class FileHandle implements AutoCloseable {

    private static final long FICLONE = 0x40049409L;
    private static final int FALLOC_KEEP_SIZE = 0x01;
    private static final int FALLOC_PUNCH_HOLE = 0x02;
    private static final int FALLOC_UNSHARE_RANGE = 0x40;
    private static final int SEEK_DATA = 3;
    private static final int SEEK_HOLE = 4;
    private static final int SECTOR = 512;

    private final Path path;
    private final int descriptor;
    private boolean closed;

    /** Which file it is, whatever it is called: the device it is on and its inode. */
    public record Identity(int major, int minor, long inode) {}

    FileHandle(Path path, int descriptor) {
        this.path = path;
        this.descriptor = descriptor;
    }

    public Path path() {
        return path;
    }

    public int descriptor() {
        return descriptor;
    }

    public long size() {
        return status().size();
    }

    public long allocatedBytes() {
        return status().blocks() * SECTOR;
    }

    public Identity identity() {
        var status = status();
        return new Identity(status.deviceMajor(), status.deviceMinor(), status.inode());
    }

    private Statx status() {
        return Statx.of(descriptor, path.toString());
    }

    public void truncate(long size) {
        Effects.run("truncate", path.toString(), () -> check("truncate", Libc.ftruncate(descriptor, size)));
    }

    public void allocate(long offset, long length) {
        Effects.run(
                "allocate", path.toString(), () -> check("fallocate", Libc.fallocate(descriptor, 0, offset, length)));
    }

    /** Gives the range blocks of its own where it shares them; false when the filesystem cannot share at all. */
    public boolean unshare(long offset, long length) {
        return Effects.perform("unshare", path.toString(), () -> {
            int outcome = Libc.fallocate(descriptor, FALLOC_UNSHARE_RANGE, offset, length);
            if (outcome == -Errno.EOPNOTSUPP.number()) {
                return false;
            }
            check("unshare", outcome);
            return true;
        });
    }

    public void punch(long offset, long length) {
        Effects.run(
                "punch",
                path.toString(),
                () -> check(
                        "punch hole in",
                        Libc.fallocate(descriptor, FALLOC_PUNCH_HOLE | FALLOC_KEEP_SIZE, offset, length)));
    }

    /** Makes this file the same as the source by sharing all its blocks, at one instant. */
    public void cloneFrom(FileHandle source) {
        Effects.run(
                "clone",
                source.path + " to " + path,
                () -> check("clone " + source.path + " to", Libc.ioctl(descriptor, FICLONE, (long) source.descriptor)));
    }

    public void sync() {
        Effects.run("sync", path.toString(), () -> check("fsync", Libc.fsync(descriptor)));
    }

    /** Reads at an offset; -1 at the end. */
    public int read(ByteBuffer buffer, long offset) {
        int wanted = buffer.remaining();
        try (Arena arena = Arena.ofConfined()) {
            var memory = buffer.isDirect() ? MemorySegment.ofBuffer(buffer) : arena.allocate(Math.max(1, wanted));
            long got = Libc.pread(descriptor, memory, wanted, offset);
            check("read", got);
            if (got == 0) {
                return wanted == 0 ? 0 : -1;
            }
            if (!buffer.isDirect()) {
                MemorySegment.ofBuffer(buffer).copyFrom(memory.asSlice(0, got));
            }
            buffer.position(buffer.position() + (int) got);
            return (int) got;
        }
    }

    /** Writes all of the buffer at an offset. */
    public void write(ByteBuffer buffer, long offset) {
        Effects.run("write", path.toString(), () -> {
            try (Arena arena = Arena.ofConfined()) {
                long at = offset;
                var memory = arena.allocate(Math.max(1, buffer.remaining()));
                memory.copyFrom(MemorySegment.ofBuffer(buffer));
                long length = buffer.remaining();
                long done = 0;
                while (done < length) {
                    long put = Libc.pwrite(descriptor, memory.asSlice(done), length - done, at);
                    check("write", put);
                    done += put;
                    at += put;
                }
                buffer.position(buffer.limit());
            }
        });
    }

    /** Where data begins at or after the offset; -1 when there is none. */
    public long nextData(long offset) {
        return seek(offset, SEEK_DATA);
    }

    /** Where a hole begins at or after the offset, the end of the file being one; -1 beyond the end. */
    public long nextHole(long offset) {
        return seek(offset, SEEK_HOLE);
    }

    private long seek(long offset, int whence) {
        long found = Libc.lseek(descriptor, offset, whence);
        if (found == -Errno.ENXIO.number()) {
            return -1;
        }
        check("seek in", found);
        return found;
    }

    long check(String call, long outcome) {
        if (outcome < 0) {
            throw new SyscallException(call, path.toString(), (int) -outcome);
        }
        return outcome;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            Libc.close(descriptor);
        }
    }
}
