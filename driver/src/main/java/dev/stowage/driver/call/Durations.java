package dev.stowage.driver.call;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** A histogram of durations, from the quickest answer to a mount that takes a minute. */
final class Durations {

    private static final double[] BOUNDS = {
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60
    };

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

    void append(StringBuilder text, String name, String rpc) {
        long upTo = 0;
        for (int bucket = 0; bucket <= BOUNDS.length; bucket++) {
            upTo += counts.get(bucket);
            text.append(name).append("_bucket{rpc=\"").append(rpc).append("\",le=\"");
            text.append(bucket < BOUNDS.length ? Double.toString(BOUNDS[bucket]) : "+Inf");
            text.append("\"} ").append(upTo).append('\n');
        }
        text.append(name).append("_sum{rpc=\"").append(rpc).append("\"} ");
        text.append(seconds(nanosTotal.sum())).append('\n');
        text.append(name)
                .append("_count{rpc=\"")
                .append(rpc)
                .append("\"} ")
                .append(upTo)
                .append('\n');
    }

    private static double seconds(long nanos) {
        return (double) nanos / TimeUnit.SECONDS.toNanos(1);
    }
}
