package dev.stowage.linux.file;

import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.internal.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One walk over two files, side by side. The cheapest proof of sameness is tried first: neither has data there; both keep it in
 * the same shared blocks; the bytes are equal. What none of them proves is reported.
 */
final class Comparison implements AutoCloseable {
    private static final int BLOCK = 64 * 1024;

    private final FileHandle base;
    private final FileHandle target;
    private final long from;
    private final RangeConsumer consumer;
    private final DataMap baseData;
    private final DataMap targetData;
    private final ExtentCursor baseExtents;
    private final ExtentCursor targetExtents;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment baseBlock = arena.allocate(BLOCK, 4096);
    private final MemorySegment targetBlock = arena.allocate(BLOCK, 4096);
    private final long baseSize;
    private final long targetSize;
    private boolean extentsTell;
    private long pendingStart = -1;
    private long pendingEnd = -1;

    Comparison(FileHandle base, FileHandle target, long from, RangeConsumer consumer) {
        this.base = base;
        this.target = target;
        this.from = from;
        this.consumer = consumer;
        this.baseSize = base.size();
        this.targetSize = target.size();
        this.baseData = new DataMap(base, baseSize);
        this.targetData = new DataMap(target, targetSize);
        this.baseExtents = new ExtentCursor(base, from);
        this.targetExtents = new ExtentCursor(target, from);
    }

    void run() {
        // Addresses of two filesystems must not be compared.
        extentsTell = base.identity().major() == target.identity().major()
                && base.identity().minor() == target.identity().minor()
                && mapped(baseExtents)
                && mapped(targetExtents);
        for (long position = from; position < targetSize; ) {
            var inBase = baseData.dataAt(position);
            var inTarget = targetData.dataAt(position);
            var end = Math.min(baseData.stateEnd(), targetData.stateEnd());
            if (inBase || inTarget) {
                compare(position, end);
            }
            position = end;
        }
        flush();
    }

    @Override
    public void close() {
        baseExtents.close();
        targetExtents.close();
        arena.close();
    }

    private void compare(long start, long end) {
        if (start >= baseSize) {
            report(start, end);
            return;
        }
        for (long position = start; position < end; ) {
            position = extentsTell ? compareByExtents(position, end) : compareByContent(position, end);
        }
    }

    private long compareByExtents(long position, long end) {
        var inBase = baseExtents.atOrAfter(position);
        var inTarget = targetExtents.atOrAfter(position);
        var stop = Math.min(boundary(inBase, position, end), boundary(inTarget, position, end));
        if (sameBlocks(inBase, inTarget, position)) {
            return stop;
        }
        return compareByContent(position, stop);
    }

    private long compareByContent(long start, long end) {
        for (long position = start; position < end; ) {
            var length = Math.min(end, (position / BLOCK + 1) * BLOCK) - position;
            fill(base, baseBlock, position, length);
            fill(target, targetBlock, position, length);
            if (MemorySegment.mismatch(baseBlock, 0, length, targetBlock, 0, length) >= 0) {
                report(position, position + length);
            }
            position += length;
        }
        return end;
    }

    /** Beyond the end of a file there are zeros. */
    private static void fill(FileHandle file, MemorySegment block, long offset, long length) {
        long done = 0;
        while (done < length) {
            var count = Libc.pread(file.descriptor(), block.asSlice(done), length - done, offset + done);
            if (count == -Errno.EINTR.number()) {
                continue;
            }
            Libc.check(count, "read", file.path());
            if (count == 0) {
                block.asSlice(done, length - done).fill((byte) 0);
                return;
            }
            done += count;
        }
    }

    private void report(long start, long end) {
        if (start == pendingEnd) {
            pendingEnd = end;
            return;
        }
        flush();
        pendingStart = start;
        pendingEnd = end;
    }

    private void flush() {
        if (pendingStart >= 0) {
            consumer.range(pendingStart, pendingEnd - pendingStart);
        }
        pendingStart = -1;
        pendingEnd = -1;
    }

    /** Where what is known about a position ends: at the end of its extent, or where the next one begins. */
    private static long boundary(@Nullable Extent extent, long position, long end) {
        if (extent == null) {
            return end;
        }
        return Math.min(end, extent.logical() > position ? extent.logical() : extent.end());
    }

    private static boolean sameBlocks(@Nullable Extent base, @Nullable Extent target, long position) {
        return base != null
                && target != null
                && base.logical() <= position
                && target.logical() <= position
                && decisive(base)
                && decisive(target)
                && base.physical() - base.logical() == target.physical() - target.logical();
    }

    /** Blocks used by two files are shared by definition; where the filesystem does not say so, its addresses are not trusted. */
    private static boolean decisive(Extent extent) {
        return extent.shared() && !extent.unwritten() && !extent.encodedOrUnknown();
    }

    private boolean mapped(ExtentCursor cursor) {
        try {
            cursor.atOrAfter(from);
            return true;
        } catch (SyscallException refusal) {
            if (refusal.is(Errno.EOPNOTSUPP) || refusal.is(Errno.ENOTTY) || refusal.is(Errno.EINVAL)) {
                return false;
            }
            throw refusal;
        }
    }
}
