package dev.stowage.workbench.e2e;

import java.time.Duration;

/**
 * A test of the suite that was run.
 *
 * @param name without what all of them begin with
 * @param message why it failed or was skipped, in the suite's words
 */
record Spec(String name, Outcome outcome, String message, Duration took) {

    enum Outcome {
        PASSED,
        SKIPPED,
        FAILED
    }

    boolean passed() {
        return outcome == Outcome.PASSED;
    }
}
