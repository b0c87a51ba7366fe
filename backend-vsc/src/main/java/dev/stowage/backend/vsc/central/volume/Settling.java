package dev.stowage.backend.vsc.central.volume;

import dev.stowage.arrayapi.ArrayException.Cause;
import dev.stowage.arrayapi.ArrayException.Unreachable;
import dev.stowage.core.call.Patience;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Waits for what an array does in the background, as long as the caller does. */
final class Settling {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** What the caller needs to hear from us before it gives up. */
    private static final Duration RESERVE = Duration.ofSeconds(1);

    private Settling() {}

    static <T> T await(String what, Supplier<Optional<T>> look, Predicate<T> settled) {
        long end = System.nanoTime() + Patience.left(PATIENCE).minus(RESERVE).toNanos();
        for (Duration pause = FIRST_PAUSE; ; pause = longer(pause)) {
            var seen = look.get();
            if (seen.isPresent() && settled.test(seen.get())) {
                return seen.get();
            }
            if (System.nanoTime() - end > 0) {
                throw new Unreachable(
                        Cause.NETWORK, "%s: the array is still working on it; ask again".formatted(what), null);
            }
            sleep(what, pause);
        }
    }

    private static Duration longer(Duration pause) {
        var doubled = pause.multipliedBy(2);
        return doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
    }

    private static void sleep(String what, Duration pause) {
        try {
            Thread.sleep(pause);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new Unreachable(Cause.NETWORK, what + ": interrupted while the array worked on it", interrupted);
        }
    }
}
