package dev.stowage.linux.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;

/** What statx tells of a file. Its layout, unlike that of stat, is the same on every architecture. */
public final class Stat {
    private static final int TYPE = 0xF000;
    private static final int DIRECTORY = 0x4000;
    private static final int BLOCK_DEVICE = 0x6000;
    private static final int REGULAR = 0x8000;
    private static final int SYMBOLIC_LINK = 0xA000;

    private static final int BYTES = 256;
    private static final int BASIC_STATS = 0x7FF;
    private static final int MOUNT_ID = 0x1000;
    private static final long MOUNT_ROOT = 0x2000;

    private final MemorySegment memory;

    /** Room for one answer, to be filled again and again. */
    public Stat(SegmentAllocator allocator) {
        this(allocator.allocate(BYTES, 8));
    }

    private Stat(MemorySegment memory) {
        this.memory = memory;
    }

    /** Asks about a name below an opened directory, not following a symbolic link at its end; throws when there is none. */
    public static Stat of(int directory, String name, Object subject) {
        var stat = new Stat(MemorySegment.ofArray(new long[BYTES / 8]));
        Libc.check(stat.read(directory, name), "stat", subject);
        return stat;
    }

    /** Asks about an open descriptor. */
    public static Stat of(int descriptor, Object subject) {
        return of(descriptor, "", subject);
    }

    /** Room for an answer that is not bound to an arena. */
    public static Stat unfilled() {
        return new Stat(MemorySegment.ofArray(new long[BYTES / 8]));
    }

    /** Fills this with the answer about a name; returns zero or the negated error number. */
    public int read(int directory, String name) {
        try (var arena = Arena.ofConfined()) {
            var answer = memory.isNative() ? memory : arena.allocate(BYTES, 8);
            var result =
                    read(Libc.state(arena), directory, Libc.string(arena, name).address(), answer);
            if (!memory.isNative()) {
                memory.copyFrom(answer);
            }
            return result;
        }
    }

    /**
     * As above, with what the kernel knows without asking a server that may not answer. What a file is, and whether something is
     * mounted there, is known so; times and sizes may be old.
     */
    public int readKnown(int directory, String name) {
        try (var arena = Arena.ofConfined()) {
            var answer = arena.allocate(BYTES, 8);
            var result = read(
                    Libc.state(arena), directory, Libc.string(arena, name).address(), Libc.AT_STATX_DONT_SYNC, answer);
            memory.copyFrom(answer);
            return result;
        }
    }

    /** As above, with a name already in native memory. */
    public int read(MemorySegment state, int directory, long name) {
        return read(state, directory, name, memory);
    }

    private static int read(MemorySegment state, int directory, long name, MemorySegment into) {
        return read(state, directory, name, 0, into);
    }

    private static int read(MemorySegment state, int directory, long name, int flags, MemorySegment into) {
        return Libc.statx(
                state,
                directory,
                name,
                Libc.AT_SYMLINK_NOFOLLOW | Libc.AT_NO_AUTOMOUNT | Libc.AT_EMPTY_PATH | flags,
                BASIC_STATS | MOUNT_ID,
                into);
    }

    public boolean mountRoot() {
        return (memory.get(ValueLayout.JAVA_LONG, 8) & MOUNT_ROOT) != 0;
    }

    public int gid() {
        return memory.get(ValueLayout.JAVA_INT, 24);
    }

    /** Permission bits and type. */
    public int mode() {
        return Short.toUnsignedInt(memory.get(ValueLayout.JAVA_SHORT, 28));
    }

    public boolean directory() {
        return (mode() & TYPE) == DIRECTORY;
    }

    public boolean regular() {
        return (mode() & TYPE) == REGULAR;
    }

    public boolean symbolicLink() {
        return (mode() & TYPE) == SYMBOLIC_LINK;
    }

    public boolean blockDevice() {
        return (mode() & TYPE) == BLOCK_DEVICE;
    }

    public long inode() {
        return memory.get(ValueLayout.JAVA_LONG, 32);
    }

    public long size() {
        return memory.get(ValueLayout.JAVA_LONG, 40);
    }

    /** In units of 512 bytes, whatever the filesystem's own block size. */
    public long blocks() {
        return memory.get(ValueLayout.JAVA_LONG, 48);
    }

    /** For a device node, the device that it names. */
    public int nodeMajor() {
        return memory.get(ValueLayout.JAVA_INT, 128);
    }

    public int nodeMinor() {
        return memory.get(ValueLayout.JAVA_INT, 132);
    }

    public int major() {
        return memory.get(ValueLayout.JAVA_INT, 136);
    }

    public int minor() {
        return memory.get(ValueLayout.JAVA_INT, 140);
    }

    public long mountId() {
        return memory.get(ValueLayout.JAVA_LONG, 144);
    }
}
