package dev.stowage.linux.file;

/** Tells data from holes along a file, asking the kernel once per stretch. Positions may only grow. */
final class DataMap {
    private final FileHandle file;
    private final long size;
    private boolean data;
    private long end;

    DataMap(FileHandle file, long size) {
        this.file = file;
        this.size = size;
    }

    /** Whether there is data at a position; beyond the end of the file there is none. */
    boolean dataAt(long position) {
        if (position < end) {
            return data;
        }
        if (position >= size) {
            data = false;
            end = Long.MAX_VALUE;
            return false;
        }
        var next = file.nextData(position);
        data = next == position;
        if (data) {
            end = Math.min(size, file.nextHole(position));
        } else {
            end = next < 0 ? size : Math.min(size, next);
        }
        return data;
    }

    /** Where the stretch of the last asked position ends. */
    long stateEnd() {
        return end;
    }
}
