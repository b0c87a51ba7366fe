package dev.stowage.manager.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** How often one kind of objects was looked at since this process started, and how that went. */
public final class Passes {

    private final String name;
    private final LongSupplier depth;
    private final LongSupplier retries;
    private final Map<Result, LongAdder> results = new ConcurrentSkipListMap<>();
    private final Durations durations = new Durations();

    /** How a pass over an object ended. */
    public enum Result {
        /** There is nothing more to do before something changes. */
        DONE("done"),
        /** It waits, or could not do everything, and comes up again. */
        AGAIN("again"),
        /** It ended with an error, and comes up again. */
        FAILED("failed");

        private final String word;

        Result(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    /**
     * None yet.
     *
     * @param name what is looked at
     * @param depth how many of them something is to be done about
     * @param retries how often something had to be tried again
     */
    public Passes(String name, LongSupplier depth, LongSupplier retries) {
        this.name = name;
        this.depth = depth;
        this.retries = retries;
    }

    public void ended(Result result, long nanos) {
        results.computeIfAbsent(result, absent -> new LongAdder()).increment();
        durations.add(nanos);
    }

    String name() {
        return name;
    }

    long depth() {
        return depth.getAsLong();
    }

    long retries() {
        return retries.getAsLong();
    }

    long count(Result result) {
        var count = results.get(result);
        return count == null ? 0 : count.sum();
    }

    Durations durations() {
        return durations;
    }
}
