package dev.stowage.linux.file;

import dev.stowage.linux.Errno;
import dev.stowage.linux.effect.Effects;
import dev.stowage.linux.internal.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;

/** Copies a file without filling its holes. */
public final class SparseCopy {

    private static final long CHUNK = 8L << 20;

    private SparseCopy() {}

    /** Is told how far the copy is; may throw to end it. */
    @FunctionalInterface
    public interface Progress {
        void copied(long done, long total);
    }

    /** Copies all data of {@code from} to the same places of {@code to}, which must hold zeros there, down to the disk. */
    public static void copy(FileHandle from, FileHandle to, Progress progress) {
        long total = from.size();
        long end = 0;
        for (long start = from.nextData(0); start >= 0; start = from.nextData(end)) {
            end = from.nextHole(start);
            for (long at = start; at < end; at += CHUNK) {
                copyChunk(from, to, at, Math.min(CHUNK, end - at));
                progress.copied(Math.min(end, at + CHUNK), total);
            }
        }
        to.sync();
        progress.copied(total, total);
    }

    private static void copyChunk(FileHandle from, FileHandle to, long offset, long length) {
        Effects.run("copy", from.path() + " to " + to.path(), () -> {
            try (Arena arena = Arena.ofConfined()) {
                var source = arena.allocateFrom(ValueLayout.JAVA_LONG, offset);
                var target = arena.allocateFrom(ValueLayout.JAVA_LONG, offset);
                long left = length;
                while (left > 0) {
                    long copied = Libc.copyFileRange(from.descriptor(), source, to.descriptor(), target, left);
                    if (copied == -Errno.EXDEV.number()
                            || copied == -Errno.EOPNOTSUPP.number()
                            || copied == -Errno.EINVAL.number()
                            || copied == -Errno.ENOSYS.number()) {
                        copyThroughMemory(from, to, offset + length - left, left);
                        return;
                    }
                    to.check("copy " + from.path() + " to", copied);
                    if (copied == 0) {
                        return;
                    }
                    left -= copied;
                }
            }
        });
    }

    private static void copyThroughMemory(FileHandle from, FileHandle to, long offset, long length) {
        try (Arena arena = Arena.ofConfined()) {
            var buffer = arena.allocate(Math.min(length, 1 << 20));
            long at = offset;
            while (at < offset + length) {
                long got = from.check(
                        "read",
                        Libc.pread(from.descriptor(), buffer, Math.min(buffer.byteSize(), offset + length - at), at));
                if (got == 0) {
                    return;
                }
                for (long put = 0; put < got; ) {
                    put += to.check("write", Libc.pwrite(to.descriptor(), buffer.asSlice(put), got - put, at + put));
                }
                at += got;
            }
        }
    }
}
