package dev.stowage.cli.bench;

import java.time.Duration;
import java.util.Collection;

/** What many durations have in common. */
public record Statistics(int count, Duration median, Duration p95, Duration p99, Duration least, Duration most) {

    public static Statistics of(Collection<Duration> durations) {
        if (durations.isEmpty()) {
            throw new IllegalArgumentException("nothing was measured, so there is nothing to summarize");
        }
        long[] sorted = durations.stream().mapToLong(Duration::toNanos).sorted().toArray();
        return new Statistics(
                sorted.length,
                Duration.ofNanos(median(sorted)),
                Duration.ofNanos(nearestRank(sorted, 95)),
                Duration.ofNanos(nearestRank(sorted, 99)),
                Duration.ofNanos(sorted[0]),
                Duration.ofNanos(sorted[sorted.length - 1]));
    }

    /** How many times this median is that of the other; below 1 is faster. */
    public double ratioTo(Statistics other) {
        return (double) median.toNanos() / other.median.toNanos();
    }

    private static long median(long[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : Math.floorDiv(sorted[middle - 1] + sorted[middle], 2L);
    }

    /** The smallest value that at least so many percent do not exceed. */
    private static long nearestRank(long[] sorted, int percent) {
        return sorted[Math.ceilDiv(sorted.length * percent, 100) - 1];
    }
}
