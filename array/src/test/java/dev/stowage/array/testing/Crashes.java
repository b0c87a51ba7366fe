package dev.stowage.array.testing;

import dev.stowage.linux.effect.Effects;
import java.util.concurrent.atomic.AtomicInteger;

/** Ends of the process at a chosen point, without ending it. */
public final class Crashes {

    /** Thrown where the process would end. Not an exception, so that nothing cleans up after it. */
    private static final class Crash extends Error {}

    private Crashes() {}

    /** Crashes before the effect with this number and before all that follow; false if the operation has fewer effects. */
    public static boolean happens(int point, Runnable operation) {
        var count = new AtomicInteger();
        Effects.observe(new Effects.Observer() {
            @Override
            public void before(String kind, String detail) {
                if (count.incrementAndGet() >= point) {
                    throw new Crash();
                }
            }

            @Override
            public void after(String kind, String detail) {}
        });
        try {
            operation.run();
            return false;
        } catch (Crash | RuntimeException crashed) {
            return true;
        } finally {
            Effects.observe(null);
        }
    }
}
