package dev.stowage.linux.internal;

import dev.stowage.linux.SyscallException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** What statx(2) tells of a file; the layout is the same on every architecture. */
public record Statx(
        int mode,
        long inode,
        long size,
        long blocks,
        int group,
        int deviceMajor,
        int deviceMinor,
        int nodeMajor,
        int nodeMinor,
        long mountId,
        boolean mountRoot) {

    private static final int BASIC_AND_MOUNT_ID = 0x7ff | 0x1000;
    private static final int SIZE = 256;
    private static final long ATTRIBUTE_MOUNT_ROOT = 0x2000;
    private static final int TYPE_MASK = 0xf000;

    public boolean directory() {
        return (mode & TYPE_MASK) == 0x4000;
    }

    public boolean regularFile() {
        return (mode & TYPE_MASK) == 0x8000;
    }

    public boolean symbolicLink() {
        return (mode & TYPE_MASK) == 0xa000;
    }

    public boolean blockDevice() {
        return (mode & TYPE_MASK) == 0x6000;
    }

    /** The opened file itself. */
    public static Statx of(int descriptor, String subject) {
        try (Arena arena = Arena.ofConfined()) {
            var result = arena.allocate(SIZE, 8);
            int outcome =
                    Libc.statx(descriptor, arena.allocateFrom(""), Libc.AT_EMPTY_PATH, BASIC_AND_MOUNT_ID, result);
            if (outcome < 0) {
                throw new SyscallException("stat", subject, -outcome);
            }
            return read(result);
        }
    }

    /** A name below a directory, not followed if it is a link; the error number, negative, in {@code failure}. */
    public static Statx at(int directory, MemorySegment name, MemorySegment buffer, String subject) {
        int outcome = Libc.statx(directory, name, Libc.AT_SYMLINK_NOFOLLOW, BASIC_AND_MOUNT_ID, buffer);
        if (outcome < 0) {
            throw new SyscallException("stat", subject, -outcome);
        }
        return read(buffer);
    }

    public static MemorySegment buffer(Arena arena) {
        return arena.allocate(SIZE, 8);
    }

    private static Statx read(MemorySegment result) {
        long attributes = result.get(ValueLayout.JAVA_LONG, 8);
        return new Statx(
                Short.toUnsignedInt(result.get(ValueLayout.JAVA_SHORT, 28)),
                result.get(ValueLayout.JAVA_LONG, 32),
                result.get(ValueLayout.JAVA_LONG, 40),
                result.get(ValueLayout.JAVA_LONG, 48),
                result.get(ValueLayout.JAVA_INT, 24),
                result.get(ValueLayout.JAVA_INT, 136),
                result.get(ValueLayout.JAVA_INT, 140),
                result.get(ValueLayout.JAVA_INT, 128),
                result.get(ValueLayout.JAVA_INT, 132),
                result.get(ValueLayout.JAVA_LONG, 144),
                (attributes & ATTRIBUTE_MOUNT_ROOT) != 0);
    }
}
