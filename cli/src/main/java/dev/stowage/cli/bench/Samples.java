package dev.stowage.cli.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What one driver took for one operation, collected from all callers; failures are counted by what they said. */
final class Samples {

    private final List<Duration> durations = new ArrayList<>();
    private final Map<String, Integer> errors = new TreeMap<>();

    synchronized void add(Duration took) {
        durations.add(took);
    }

    synchronized void fail(String reason) {
        errors.merge(reason, 1, Integer::sum);
    }

    synchronized int count() {
        return durations.size();
    }

    synchronized Outcome outcome() {
        return durations.isEmpty()
                ? new Outcome.NotRun("every attempt failed", Map.copyOf(errors))
                : new Outcome.Measured(Statistics.of(durations), Map.copyOf(errors));
    }

    synchronized void addAll(Samples other) {
        durations.addAll(other.durations);
        other.errors.forEach((reason, times) -> errors.merge(reason, times, Integer::sum));
    }

    /** Passes on what failed, but no durations. */
    synchronized void failuresTo(Samples other) {
        errors.forEach((reason, times) -> {
            for (int i = 0; i < times; i++) {
                other.fail(reason);
            }
        });
    }
}
