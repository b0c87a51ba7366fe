package dev.stowage.workbench.process;

import dev.stowage.workbench.WorkbenchException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waiting for something that tells nobody when it happens. */
public final class Waiting {
    private static final Duration PAUSE = Duration.ofMillis(100);

    private Waiting() {}

    /** Whether it came true in time. */
    public static boolean until(Duration patience, BooleanSupplier wanted) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!wanted.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            pause();
        }
        return true;
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new WorkbenchException("interrupted while waiting", interrupted);
        }
    }
}
