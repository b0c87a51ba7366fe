package dev.stowage.cli.bench.arrays;

import dev.stowage.cli.bench.Statistics;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What several turns say together. */
final class Turns {

    private Turns() {}

    /** How far the medians of turns are apart in which nothing was different. */
    static double apart(List<ArraysResults.Turn> wells, Function<ArraysResults.Turn, Load> part, String what) {
        var medians = wells.stream()
                .map(part)
                .map(load -> load.of(what))
                .flatMap(Optional::stream)
                .map(Statistics::median)
                .sorted()
                .toList();
        return medians.isEmpty() ? 1 : ratio(medians.getLast(), medians.getFirst());
    }

    static double ratio(Duration one, Duration other) {
        return (double) one.toNanos() / other.toNanos();
    }

    static Load sum(List<ArraysResults.Turn> turns, Function<ArraysResults.Turn, Load> part) {
        return turns.stream().map(part).reduce(Load::with).orElseThrow();
    }
}
