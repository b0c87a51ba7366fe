package dev.stowage.linux.file;

import dev.stowage.linux.internal.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** Walks the extents of a file in order, a page at a time, so that a much fragmented file does not fill the heap. */
final class ExtentCursor implements AutoCloseable {
    private static final long FS_IOC_FIEMAP = 0xC020660BL;
    private static final int FLAG_SYNC = 1;
    private static final int LAST = 1;
    private static final int HEADER = 32;
    private static final int ENTRY = 56;
    private static final int PAGE = 256;

    private final FileHandle file;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment request = arena.allocate(HEADER + PAGE * ENTRY, 8);
    private long position;
    private int index;
    private int count;
    private boolean finished;
    private int flags = FLAG_SYNC;
    private @Nullable Extent current;

    ExtentCursor(FileHandle file, long from) {
        this.file = file;
        this.position = from;
    }

    /** The next extent, or null at the end. */
    @Nullable
    Extent next() {
        if (index == count) {
            if (finished || !fill()) {
                return null;
            }
        }
        var at = HEADER + (long) index * ENTRY;
        var extent = new Extent(
                request.get(ValueLayout.JAVA_LONG, at),
                request.get(ValueLayout.JAVA_LONG, at + 8),
                request.get(ValueLayout.JAVA_LONG, at + 16),
                request.get(ValueLayout.JAVA_INT, at + 40));
        index++;
        position = extent.end();
        finished |= (extent.flags() & LAST) != 0;
        return extent;
    }

    /** The extent that covers an offset, else the first one after it, else null. Offsets may only grow. */
    @Nullable
    Extent atOrAfter(long offset) {
        if (current == null) {
            current = next();
        }
        while (current != null && current.end() <= offset) {
            current = next();
        }
        return current;
    }

    @Override
    public void close() {
        arena.close();
    }

    private boolean fill() {
        request.asSlice(0, HEADER).fill((byte) 0);
        request.set(ValueLayout.JAVA_LONG, 0, position);
        request.set(ValueLayout.JAVA_LONG, 8, -1L);
        request.set(ValueLayout.JAVA_INT, 16, flags);
        request.set(ValueLayout.JAVA_INT, 24, PAGE);
        Libc.check(Libc.ioctl(file.descriptor(), FS_IOC_FIEMAP, request.address()), "map", file.path());
        flags = 0;
        index = 0;
        count = request.get(ValueLayout.JAVA_INT, 20);
        finished = count == 0;
        return count > 0;
    }
}
