package dev.stowage.linux.file;

import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.effect.Effects;
import dev.stowage.linux.internal.Descriptor;
import dev.stowage.linux.internal.Libc;
import dev.stowage.linux.internal.Stat;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** An open regular file. Several threads may use one handle; each read and write names its own offset. */
public final class FileHandle implements AutoCloseable {
    private static final long FICLONE = 0x40049409L;

    /** What tells one file from every other, whatever its name. */
    public record Identity(int major, int minor, long inode) {}

    private final Descriptor descriptor;

    FileHandle(Descriptor descriptor) {
        this.descriptor = descriptor;
    }

    /** The path it was opened by, for messages and for commands. */
    public Path path() {
        return descriptor.path();
    }

    public int descriptor() {
        return descriptor.number();
    }

    public long size() {
        return stat().size();
    }

    /** The space that the file takes, with blocks that it shares counted in full. */
    public long allocatedBytes() {
        return stat().blocks() * 512;
    }

    public Identity identity() {
        var stat = stat();
        return new Identity(stat.major(), stat.minor(), stat.inode());
    }

    public void truncate(long size) {
        Effects.run("truncate", path().toString(), () -> check(Libc.ftruncate(descriptor(), size), "truncate"));
    }

    /** Makes the range take space now, so that writing to it cannot fail for lack of it; extends the file when needed. */
    public void allocate(long offset, long length) {
        if (length == 0) {
            return;
        }
        Effects.run("allocate", path().toString(), () -> {
            int result;
            do {
                result = Libc.fallocate(descriptor(), 0, offset, length);
            } while (result == -Errno.EINTR.number());
            check(result, "allocate");
        });
    }

    /** Gives the file blocks of its own where it shares them; false where the filesystem cannot. */
    public boolean unshare(long offset, long length) {
        return Effects.perform("allocate", path().toString(), () -> {
            var result = Libc.fallocate(descriptor(), Libc.FALLOC_FL_UNSHARE_RANGE, offset, length);
            if (result == -Errno.EOPNOTSUPP.number() || result == -Errno.EINVAL.number()) {
                return false;
            }
            check(result, "unshare");
            return true;
        });
    }

    /** Gives the space of a range back; it reads as zeros afterwards. The size stays. */
    public void punch(long offset, long length) {
        Effects.run(
                "punch",
                path().toString(),
                () -> check(
                        Libc.fallocate(
                                descriptor(), Libc.FALLOC_FL_PUNCH_HOLE | Libc.FALLOC_FL_KEEP_SIZE, offset, length),
                        "punch"));
    }

    /** Makes this file share all blocks of the source, at one instant. Both must be on one filesystem that can share. */
    public void cloneFrom(FileHandle source) {
        Effects.run("clone", path().toString(), () -> {
            var result = Libc.ioctl(descriptor(), FICLONE, source.descriptor());
            if (result < 0) {
                throw new SyscallException("clone", source.path() + " to " + path(), -result);
            }
        });
    }

    /** Returns when content and size are on stable storage. */
    public void sync() {
        Effects.run("sync", path().toString(), () -> check(Libc.fsync(descriptor()), "sync"));
    }

    /** Reads at least one byte into the buffer unless the offset is at or beyond the end; -1 then. */
    public int read(ByteBuffer buffer, long offset) {
        if (!buffer.hasRemaining()) {
            return 0;
        }
        try (var arena = Arena.ofConfined()) {
            var room = MemorySegment.ofBuffer(buffer);
            var memory = room.isNative() ? room : arena.allocate(room.byteSize());
            long count;
            do {
                count = Libc.pread(descriptor(), memory, room.byteSize(), offset);
            } while (count == -Errno.EINTR.number());
            Libc.check(count, "read", path());
            if (count == 0) {
                return -1;
            }
            if (!room.isNative()) {
                room.copyFrom(memory.asSlice(0, count));
            }
            buffer.position(buffer.position() + (int) count);
            return (int) count;
        }
    }

    /** Writes all that remains in the buffer. */
    public void write(ByteBuffer buffer, long offset) {
        Effects.run("write", path().toString(), () -> {
            try (var arena = Arena.ofConfined()) {
                var content = MemorySegment.ofBuffer(buffer);
                var memory = content;
                if (!content.isNative()) {
                    memory = arena.allocate(Math.max(1, content.byteSize()));
                    memory.copyFrom(content);
                }
                long done = 0;
                while (done < content.byteSize()) {
                    var count =
                            Libc.pwrite(descriptor(), memory.asSlice(done), content.byteSize() - done, offset + done);
                    if (count == -Errno.EINTR.number()) {
                        continue;
                    }
                    done += Libc.check(count, "write", path());
                }
                buffer.position(buffer.limit());
            }
        });
    }

    /** Where data begins at or after the offset; -1 when there is none up to the end. */
    public long nextData(long offset) {
        return seek(offset, Libc.SEEK_DATA);
    }

    /** Where a hole begins at or after the offset, the end of the file being one; -1 when the offset is beyond the end. */
    public long nextHole(long offset) {
        return seek(offset, Libc.SEEK_HOLE);
    }

    @Override
    public void close() {
        descriptor.close();
    }

    private long seek(long offset, int whence) {
        var result = Libc.lseek(descriptor(), offset, whence);
        return result == -Errno.ENXIO.number() ? -1 : Libc.check(result, "seek", path());
    }

    private Stat stat() {
        return Stat.of(descriptor(), path());
    }

    private void check(int result, String call) {
        Libc.check(result, call, path());
    }
}
