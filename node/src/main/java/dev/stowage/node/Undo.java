package dev.stowage.node;

import java.util.ArrayDeque;
import java.util.Deque;

/** What a call has done so far, to be undone in reverse when it fails. */
final class Undo {

    interface Step {
        void run();
    }

    private final Deque<Step> steps = new ArrayDeque<>();

    void add(Step step) {
        steps.push(step);
    }

    /** Undoes every step, each even if another fails, and returns the failure that caused it. */
    RuntimeException after(RuntimeException failure) {
        for (var step : steps) {
            try {
                step.run();
            } catch (RuntimeException another) {
                failure.addSuppressed(another);
            }
        }
        return failure;
    }
}
