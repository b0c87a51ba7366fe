package dev.stowage.linux.file;

/**
 * Which parts of a file hold data, and which parts differ from another file. Made for files that nobody writes meanwhile, such
 * as snapshots.
 */
public final class ExtentDiff {
    private ExtentDiff() {}

    /** Streams the ranges that hold data, in order, from an offset on. The rest reads as zeros. */
    public static void allocated(FileHandle file, long from, RangeConsumer consumer) {
        var size = file.size();
        for (long position = from; position < size; ) {
            var start = file.nextData(position);
            if (start < 0 || start >= size) {
                return;
            }
            var end = Math.min(size, file.nextHole(start));
            if (end <= start) {
                return;
            }
            consumer.range(start, end - start);
            position = end;
        }
    }

    /**
     * Streams the ranges of {@code target}, from an offset on, whose bytes may differ from those of {@code base}: in order, not
     * overlapping, adjacent ones joined. A range that differs is never left out. Data beyond the end of {@code base} counts as
     * different.
     */
    public static void changed(FileHandle base, FileHandle target, long from, RangeConsumer consumer) {
        try (var comparison = new Comparison(base, target, from, consumer)) {
            comparison.run();
        }
    }
}
