package dev.stowage.iscsi.kernel;

import dev.stowage.core.error.StowageException;
import java.time.Duration;

/** Waiting for the kernel and its daemons, who tell nobody when they are done. */
final class Sleep {

    private static final Duration MOMENT = Duration.ofMillis(50);

    private Sleep() {}

    static void aMoment() {
        try {
            Thread.sleep(MOMENT);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw StowageException.unavailable("interrupted while waiting for a device");
        }
    }
}
