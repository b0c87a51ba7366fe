package dev.stowage.linux.file;

import dev.stowage.linux.internal.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Where a file's data lies on the disk, as FIEMAP tells it. */
public final class Extents {

    private static final long FIEMAP = 0xC020660BL;
    private static final int SYNC = 1;
    private static final int HEADER = 32;
    private static final int ENTRY = 56;
    private static final int BATCH = 512;
    private static final int LAST = 1;

    private Extents() {}

    /** All extents, in order. Data still in memory is written out first, so that every extent has its place. */
    public static List<Extent> of(FileHandle file) {
        var extents = new ArrayList<Extent>();
        try (Arena arena = Arena.ofConfined()) {
            var map = arena.allocate(HEADER + (long) ENTRY * BATCH, 8);
            long start = 0;
            int flags = SYNC;
            while (true) {
                map.asSlice(0, HEADER).fill((byte) 0);
                map.set(ValueLayout.JAVA_LONG, 0, start);
                map.set(ValueLayout.JAVA_LONG, 8, -1L);
                map.set(ValueLayout.JAVA_INT, 16, flags);
                map.set(ValueLayout.JAVA_INT, 24, BATCH);
                file.check("map the extents of", Libc.ioctl(file.descriptor(), FIEMAP, map));
                int count = map.get(ValueLayout.JAVA_INT, 20);
                if (count == 0) {
                    return extents;
                }
                for (int i = 0; i < count; i++) {
                    long at = HEADER + (long) i * ENTRY;
                    extents.add(new Extent(
                            map.get(ValueLayout.JAVA_LONG, at),
                            map.get(ValueLayout.JAVA_LONG, at + 8),
                            map.get(ValueLayout.JAVA_LONG, at + 16),
                            map.get(ValueLayout.JAVA_INT, at + 40)));
                }
                var last = extents.getLast();
                if ((last.flags() & LAST) != 0) {
                    return extents;
                }
                start = last.end();
                flags = 0;
            }
        }
    }
}
