package dev.stowage.node;

import dev.stowage.linux.effect.Effects;
import java.util.Optional;

/**
 * Ends the world before one effect: neither that call nor anything that would tidy up behind it changes the machine any more. After an
 * effect is before the next one, and after the last one the call is done.
 */
final class CrashPoints implements Effects.Observer, AutoCloseable {

    /** What a killed process would not have time to throw. */
    static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1;

        Killed(String point) {
            super(point);
        }
    }

    private final Thread thread = Thread.currentThread();
    private final int deadline;
    private int passed;
    private Optional<String> end = Optional.empty();

    private CrashPoints(int deadline) {
        this.deadline = deadline;
    }

    /** Crashes at the point of that number, counted from zero. */
    static CrashPoints at(int number) {
        var points = new CrashPoints(number);
        Effects.observe(points);
        return points;
    }

    @Override
    public void before(String kind, String detail) {
        if (Thread.currentThread() == thread && passed++ >= deadline) {
            var point = "before " + kind + " " + detail;
            end = end.or(() -> Optional.of(point));
            throw new Killed(point);
        }
    }

    @Override
    public void after(String kind, String detail) {}

    /** Where the world ended, if it did. */
    Optional<String> end() {
        return end;
    }

    @Override
    public void close() {
        Effects.observe(null);
    }
}
