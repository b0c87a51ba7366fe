package dev.stowage.driver.testing;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what another thread brings about. */
public final class Eventually {

    private Eventually() {}

    public static <T> T get(Duration bound, Supplier<Optional<T>> wanted, Supplier<String> failure) {
        long end = System.nanoTime() + bound.toNanos();
        while (true) {
            var found = wanted.get();
            if (found.isPresent()) {
                return found.get();
            }
            if (System.nanoTime() > end) {
                throw new AssertionError(failure.get());
            }
            pause();
        }
    }

    public static void isTrue(String what, BooleanSupplier condition) {
        get(
                Duration.ofSeconds(10),
                () -> condition.getAsBoolean() ? Optional.of(true) : Optional.empty(),
                () -> "never came true: " + what);
    }

    public static void pause() {
        try {
            Thread.sleep(5);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", interrupted);
        }
    }
}
