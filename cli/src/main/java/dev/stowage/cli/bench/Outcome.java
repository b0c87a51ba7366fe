package dev.stowage.cli.bench;

import java.util.Map;

/** What is known about one driver and one operation. */
sealed interface Outcome {

    /** What went wrong, and how often. */
    Map<String, Integer> errors();

    record Measured(Statistics statistics, Map<String, Integer> errors) implements Outcome {}

    record NotRun(String reason, Map<String, Integer> errors) implements Outcome {
        NotRun(String reason) {
            this(reason, Map.of());
        }
    }

    default int errorCount() {
        return errors().values().stream().mapToInt(Integer::intValue).sum();
    }
}
