package dev.stowage.linux.filesystem;

import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.internal.Descriptor;
import dev.stowage.linux.internal.Libc;
import dev.stowage.linux.internal.Stat;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The parts of a device where signatures are kept: its beginning, its end, and where btrfs has its second copy. Read past the
 * page cache, which could still hold what was there before.
 */
final class SignatureAreas implements AutoCloseable {
    private static final long BLKGETSIZE64 = 0x80081272L;
    private static final int ALIGNMENT = 4096;
    private static final long HEAD = 1024 * 1024 + 64 * 1024;
    private static final long TAIL = 1024 * 1024;
    private static final long BTRFS_SECOND_COPY = 64L * 1024 * 1024;

    private record Area(long offset, MemorySegment content) {
        boolean holds(long position, long length) {
            return position >= offset && position + length <= offset + content.byteSize();
        }
    }

    private final Arena arena;
    private final long size;
    private final List<Area> areas = new ArrayList<>();

    private SignatureAreas(Arena arena, long size) {
        this.arena = arena;
        this.size = size;
    }

    static SignatureAreas read(Path device) {
        try (var opened = Descriptor.open(device, Libc.O_RDONLY | Libc.O_DIRECT)) {
            var result = new SignatureAreas(Arena.ofConfined(), sizeOf(opened));
            try {
                result.readAll(opened);
                return result;
            } catch (RuntimeException failure) {
                result.close();
                throw failure;
            }
        }
    }

    long size() {
        return size;
    }

    /** Where the first byte is that is not zero; -1 when there is none. */
    long firstNonZero() {
        for (var area : areas) {
            for (long i = 0; i + 8 <= area.content().byteSize(); i += 8) {
                if (area.content().get(ValueLayout.JAVA_LONG_UNALIGNED, i) != 0) {
                    return area.offset() + i;
                }
            }
            for (long i = area.content().byteSize() & ~7L; i < area.content().byteSize(); i++) {
                if (area.content().get(ValueLayout.JAVA_BYTE, i) != 0) {
                    return area.offset() + i;
                }
            }
        }
        return -1;
    }

    /** Whether the text is at the position; a position that was not read, or does not exist, holds nothing. */
    boolean has(long position, String text) {
        return has(position, text.getBytes(StandardCharsets.ISO_8859_1));
    }

    boolean has(long position, byte[] expected) {
        var found = bytes(position, expected.length);
        return Arrays.equals(found, expected);
    }

    int littleEndian32(long position) {
        return ordered(position, ByteOrder.LITTLE_ENDIAN);
    }

    int bigEndian32(long position) {
        return ordered(position, ByteOrder.BIG_ENDIAN);
    }

    int littleEndian16(long position) {
        return littleEndian32(position) & 0xFFFF;
    }

    long littleEndian64(long position) {
        return (littleEndian32(position) & 0xFFFF_FFFFL) | ((long) littleEndian32(position + 4) << 32);
    }

    int unsigned8(long position) {
        var found = bytes(position, 1);
        return found.length == 0 ? 0 : found[0] & 0xFF;
    }

    /** The bytes at a position; none when it was not read. */
    byte[] bytes(long position, int length) {
        for (var area : areas) {
            if (area.holds(position, length)) {
                return area.content().asSlice(position - area.offset(), length).toArray(ValueLayout.JAVA_BYTE);
            }
        }
        return new byte[0];
    }

    @Override
    public void close() {
        arena.close();
    }

    private int ordered(long position, ByteOrder order) {
        var found = bytes(position, 4);
        return found.length == 0
                ? 0
                : MemorySegment.ofArray(found).get(ValueLayout.JAVA_INT_UNALIGNED.withOrder(order), 0);
    }

    private void readAll(Descriptor device) {
        read(device, 0, Math.min(HEAD, size));
        if (size > HEAD) {
            var tail = Math.max(HEAD, (size - TAIL) & -ALIGNMENT);
            if (tail > BTRFS_SECOND_COPY && BTRFS_SECOND_COPY + ALIGNMENT <= size) {
                read(device, BTRFS_SECOND_COPY, ALIGNMENT);
            }
            read(device, tail, size - tail);
        }
    }

    private void read(Descriptor device, long offset, long length) {
        var room = (length + ALIGNMENT - 1) & -ALIGNMENT;
        var content = arena.allocate(Math.max(room, ALIGNMENT), ALIGNMENT);
        long done = 0;
        while (done < length) {
            // Direct reads are of whole sectors: a short read in between must not leave us at an odd place.
            var aligned = done & -ALIGNMENT;
            var count = Libc.pread(device.number(), content.asSlice(aligned), room - aligned, offset + aligned);
            if (count == -Errno.EINTR.number()) {
                continue;
            }
            Libc.check(count, "read the signature area at " + offset + " of", device.path());
            if (aligned + count <= done) {
                throw new SyscallException(
                        "read the signature area at " + offset + " of",
                        device.path().toString(),
                        Errno.EIO.number());
            }
            done = aligned + count;
        }
        areas.add(new Area(offset, content.asSlice(0, length)));
    }

    private static long sizeOf(Descriptor device) {
        var stat = Stat.of(device.number(), device.path());
        if (!stat.blockDevice()) {
            return stat.size();
        }
        try (var arena = Arena.ofConfined()) {
            var size = arena.allocate(8, 8);
            Libc.check(Libc.ioctl(device.number(), BLKGETSIZE64, size.address()), "measure", device.path());
            return size.get(ValueLayout.JAVA_LONG, 0);
        }
    }
}
