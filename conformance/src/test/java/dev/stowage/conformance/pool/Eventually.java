package dev.stowage.conformance.pool;

import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** For what the kernel or another process does in its own time. */
public final class Eventually {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Eventually() {}

    /** Repeats the assertions until they hold. */
    public static void assertThat(ThrowingCallable assertions) {
        assertThat(PATIENCE, assertions);
    }

    /** Repeats the assertions until they hold, for so long. */
    public static void assertThat(Duration patience, ThrowingCallable assertions) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            try {
                assertions.call();
                return;
            } catch (Throwable notYet) {
                if (System.nanoTime() > deadline) {
                    throw new AssertionError("not within " + patience.toSeconds() + " s", notYet);
                }
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
