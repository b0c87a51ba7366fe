package dev.stowage.linux.file;

/** A stretch of a file and where the filesystem keeps it. */
public record Extent(long logical, long physical, long length, int flags) {
    private static final int UNKNOWN = 0x002;
    private static final int DELAYED = 0x004;
    private static final int ENCODED = 0x008;
    private static final int ENCRYPTED = 0x080;
    private static final int NOT_ALIGNED = 0x100;
    private static final int INLINE = 0x200;
    private static final int TAIL = 0x400;
    private static final int UNWRITTEN = 0x800;
    private static final int SHARED = 0x2000;
    private static final int NOT_COMPARABLE = UNKNOWN | DELAYED | ENCODED | ENCRYPTED | NOT_ALIGNED | INLINE | TAIL;

    public long end() {
        return logical + length;
    }

    /** Space that is reserved and reads as zeros. */
    public boolean unwritten() {
        return (flags & UNWRITTEN) != 0;
    }

    /** Whether the physical address says nothing certain about the content: compressed, inline, not yet placed and the like. */
    public boolean encodedOrUnknown() {
        return (flags & NOT_COMPARABLE) != 0;
    }

    /** Whether other files, or other places of this one, use the same blocks. */
    public boolean shared() {
        return (flags & SHARED) != 0;
    }
}
