package dev.stowage.linux.file;

import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which ranges of a file hold data, and which differ from another file.
 *
 * <p>Two files that share a block hold the same data there; that is told by the filesystem's own map, without reading. Holes are
 * alike. Everything else is compared byte by byte where the map cannot tell, and taken as changed where it can. So a change is never
 * missed.
 */
public final class ExtentDiff {

    private static final int BLOCK = 64 * 1024;

    private ExtentDiff() {}

    /** Streams the ranges from {@code from} on that hold data. */
    public static void allocated(FileHandle file, long from, RangeConsumer consumer) {
        long end = from;
        for (long start = file.nextData(from); start >= 0; start = file.nextData(end)) {
            end = file.nextHole(start);
            consumer.range(start, end - start);
        }
    }

    /** Streams the ranges of {@code target} from {@code from} on that differ from {@code base}. */
    public static void changed(FileHandle base, FileHandle target, long from, RangeConsumer consumer) {
        long size = target.size();
        var merged = new Merging(consumer);
        var before = map(base);
        var after = map(target);
        if (before.isEmpty() || after.isEmpty()) {
            compareData(base, target, from, size, merged);
        } else {
            walk(base, target, before.get(), after.get(), from, size, merged);
        }
        merged.flush();
    }

    private static Optional<List<Extent>> map(FileHandle file) {
        try {
            return Optional.of(Extents.of(file));
        } catch (SyscallException noMap) {
            if (noMap.is(Errno.EOPNOTSUPP) || noMap.is(Errno.ENOTTY)) {
                return Optional.empty();
            }
            throw noMap;
        }
    }

    /** Goes through both maps at once; between two borders each file is either a hole or within one extent. */
    private static void walk(
            FileHandle base,
            FileHandle target,
            List<Extent> before,
            List<Extent> after,
            long from,
            long size,
            Merging out) {
        int b = 0;
        int a = 0;
        long at = from;
        while (at < size) {
            while (b < before.size() && before.get(b).end() <= at) {
                b++;
            }
            while (a < after.size() && after.get(a).end() <= at) {
                a++;
            }
            var old = b < before.size() && before.get(b).logical() <= at ? before.get(b) : null;
            var now = a < after.size() && after.get(a).logical() <= at ? after.get(a) : null;
            long next = size;
            if (b < before.size()) {
                next = Math.min(next, old == null ? before.get(b).logical() : old.end());
            }
            if (a < after.size()) {
                next = Math.min(next, now == null ? after.get(a).logical() : now.end());
            }
            if (old != null || now != null) {
                tell(base, target, old, now, at, next, out);
            }
            at = next;
        }
    }

    private static void tell(
            FileHandle base,
            FileHandle target,
            @Nullable Extent old,
            @Nullable Extent now,
            long at,
            long end,
            Merging out) {
        boolean zeroBefore = old == null || old.unwritten();
        boolean zeroNow = now == null || now.unwritten();
        if (zeroBefore && zeroNow) {
            return;
        }
        if (old != null && now != null && !old.encodedOrUnknown() && !now.encodedOrUnknown()) {
            boolean shared = old.physical() + (at - old.logical()) == now.physical() + (at - now.logical());
            if (shared && old.unwritten() == now.unwritten()) {
                return;
            }
            if (!shared) {
                out.add(at, end - at);
                return;
            }
        }
        compare(base, target, at, end, out);
    }

    /** For filesystems without a map: wherever one of the two holds data, both are read. */
    private static void compareData(FileHandle base, FileHandle target, long from, long size, Merging out) {
        long at = from;
        while (at < size) {
            long data = earliest(base.nextData(at), target.nextData(at));
            if (data < 0 || data >= size) {
                return;
            }
            long end = Math.min(size, data / BLOCK * BLOCK + BLOCK);
            compare(base, target, data, end, out);
            at = end;
        }
    }

    private static long earliest(long one, long other) {
        if (one < 0) {
            return other;
        }
        return other < 0 ? one : Math.min(one, other);
    }

    private static void compare(FileHandle base, FileHandle target, long from, long end, Merging out) {
        var before = ByteBuffer.allocateDirect(BLOCK);
        var after = ByteBuffer.allocateDirect(BLOCK);
        for (long at = from; at < end; at += BLOCK) {
            int length = (int) Math.min(BLOCK, end - at);
            fill(base, before.clear().limit(length), at);
            fill(target, after.clear().limit(length), at);
            if (!before.flip().equals(after.flip())) {
                out.add(at, length);
            }
        }
    }

    /** Reads the whole range; beyond the end of the file are zeros. */
    private static void fill(FileHandle file, ByteBuffer buffer, long offset) {
        long at = offset;
        while (buffer.hasRemaining()) {
            int got = file.read(buffer, at);
            if (got < 0) {
                while (buffer.hasRemaining()) {
                    buffer.put((byte) 0);
                }
                return;
            }
            at += got;
        }
    }

    /** Puts ranges that touch into one. */
    private static final class Merging {
        private final RangeConsumer out;
        private long start;
        private long length;

        Merging(RangeConsumer out) {
            this.out = out;
        }

        void add(long offset, long more) {
            if (length > 0 && start + length == offset) {
                length += more;
                return;
            }
            flush();
            start = offset;
            length = more;
        }

        void flush() {
            if (length > 0) {
                out.range(start, length);
            }
            length = 0;
        }
    }
}
