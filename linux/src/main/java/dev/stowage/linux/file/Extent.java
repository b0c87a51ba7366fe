package dev.stowage.linux.file;

/** A stretch of a file that lies in one piece on the disk. */
public record Extent(long logical, long physical, long length, int flags) {

    private static final int UNKNOWN = 0x2;
    private static final int DELAYED = 0x4;
    private static final int ENCODED = 0x8;
    private static final int ENCRYPTED = 0x80;
    private static final int NOT_ALIGNED = 0x100;
    private static final int INLINE = 0x200;
    private static final int TAIL = 0x400;
    private static final int UNWRITTEN = 0x800;

    /** Blocks that are there but read as zeros. */
    public boolean unwritten() {
        return (flags & UNWRITTEN) != 0;
    }

    /** Whether its place on the disk does not tell what it holds. */
    public boolean encodedOrUnknown() {
        return (flags & (UNKNOWN | DELAYED | ENCODED | ENCRYPTED | NOT_ALIGNED | INLINE | TAIL)) != 0;
    }

    public long end() {
        return logical + length;
    }
}
