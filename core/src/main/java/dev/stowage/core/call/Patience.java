package dev.stowage.core.call;

import java.time.Duration;
import java.util.function.Supplier;

/** How long the caller of the present operation goes on waiting for it. An operation that waits for others needs to know. */
public final class Patience {

    private static final ScopedValue<Long> END = ScopedValue.newInstance();

    private Patience() {}

    /** Does the work with a caller who waits so long. */
    public static <T> T of(Duration caller, Supplier<T> work) {
        return ScopedValue.where(END, System.nanoTime() + caller.toNanos()).call(work::get);
    }

    /** What is left of the caller's patience; {@code otherwise} when the caller did not say. */
    public static Duration left(Duration otherwise) {
        return END.isBound() ? Duration.ofNanos(END.get() - System.nanoTime()) : otherwise;
    }
}
