package dev.stowage.manager.metrics;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** A histogram, from a look that finds nothing to do to an API server that takes its time. */
final class Durations {

    private static final double[] BOUNDS = {0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60};

    private final AtomicLongArray counts = new AtomicLongArray(BOUNDS.length + 1);
    private final LongAdder nanosTotal = new LongAdder();

    void add(long nanos) {
        double seconds = seconds(nanos);
        int bucket = 0;
        while (bucket < BOUNDS.length && seconds > BOUNDS[bucket]) {
            bucket++;
        }
        counts.incrementAndGet(bucket);
        nanosTotal.add(nanos);
    }

    /** @param whose a label's name and value, with each figure */
    void write(Page page, String name, String... whose) {
        long upTo = 0;
        for (int bucket = 0; bucket <= BOUNDS.length; bucket++) {
            upTo += counts.get(bucket);
            page.line(name + "_bucket", upTo, withBound(whose, bucket));
        }
        page.line(name + "_sum", seconds(nanosTotal.sum()), whose).line(name + "_count", upTo, whose);
    }

    private static String[] withBound(String[] whose, int bucket) {
        String[] labels = Arrays.copyOf(whose, whose.length + 2);
        labels[whose.length] = "le";
        labels[whose.length + 1] = bucket < BOUNDS.length ? Double.toString(BOUNDS[bucket]) : "+Inf";
        return labels;
    }

    private static double seconds(long nanos) {
        return (double) nanos / TimeUnit.SECONDS.toNanos(1);
    }
}
