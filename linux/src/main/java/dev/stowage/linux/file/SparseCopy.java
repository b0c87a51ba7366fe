package dev.stowage.linux.file;

import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.effect.Effects;
import dev.stowage.linux.internal.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Copies a file with its holes, where blocks cannot be shared. */
public final class SparseCopy {
    private static final long CHUNK = 8L * 1024 * 1024;
    private static final int BUFFER = 1024 * 1024;

    /** Told after each piece, at most 8 MiB, how many of the data bytes are copied. May throw to stop. */
    @FunctionalInterface
    public interface Progress {
        void copied(long done, long total);
    }

    private SparseCopy() {}

    /** Makes {@code to} equal to {@code from}, whatever it held, and returns when that is on stable storage. */
    public static void copy(FileHandle from, FileHandle to, Progress progress) {
        try (var arena = Arena.ofConfined()) {
            new Copy(from, to, progress, arena).run();
        }
    }

    private static final class Copy {
        private final FileHandle from;
        private final FileHandle to;
        private final Progress progress;
        private final MemorySegment offsets;
        private final MemorySegment buffer;
        private boolean inKernel = true;
        private long done;

        Copy(FileHandle from, FileHandle to, Progress progress, Arena arena) {
            this.from = from;
            this.to = to;
            this.progress = progress;
            this.offsets = arena.allocate(16, 8);
            this.buffer = arena.allocate(BUFFER, 4096);
        }

        void run() {
            var size = from.size();
            var total = new long[1];
            ExtentDiff.allocated(from, 0, (offset, length) -> total[0] += length);
            to.truncate(0);
            to.truncate(size);
            progress.copied(0, total[0]);
            ExtentDiff.allocated(from, 0, (offset, length) -> {
                for (long position = offset; position < Math.min(size, offset + length); ) {
                    position += chunk(position, Math.min(CHUNK, Math.min(size, offset + length) - position));
                    progress.copied(done, Math.max(done, total[0]));
                }
            });
            to.sync();
        }

        private long chunk(long position, long length) {
            long copied = Effects.perform("copy", to.path().toString(), () -> {
                if (inKernel) {
                    var result = byKernel(position, length);
                    if (result > 0) {
                        return result;
                    }
                    inKernel = false;
                }
                return byHand(position, Math.min(length, BUFFER));
            });
            done += copied;
            return copied;
        }

        /** How much the kernel copied; nothing when it cannot copy between these two. */
        private long byKernel(long position, long length) {
            offsets.set(ValueLayout.JAVA_LONG, 0, position);
            offsets.set(ValueLayout.JAVA_LONG, 8, position);
            long result;
            do {
                result = Libc.copyFileRange(from.descriptor(), offsets, to.descriptor(), offsets.asSlice(8), length);
            } while (result == -Errno.EINTR.number());
            if (result == -Errno.EXDEV.number()
                    || result == -Errno.EOPNOTSUPP.number()
                    || result == -Errno.EINVAL.number()
                    || result == -Errno.ENOSYS.number()) {
                return 0;
            }
            return Libc.check(result, "copy", from.path() + " to " + to.path());
        }

        private long byHand(long position, long length) {
            var count = Libc.check(Libc.pread(from.descriptor(), buffer, length, position), "read", from.path());
            if (count == 0) {
                throw new SyscallException("copy", from.path() + " (it shrank meanwhile)", Errno.EIO.number());
            }
            for (long written = 0; written < count; ) {
                written += Libc.check(
                        Libc.pwrite(to.descriptor(), buffer.asSlice(written), count - written, position + written),
                        "write",
                        to.path());
            }
            return count;
        }
    }
}
