package dev.stowage.linux.effect;

import org.jspecify.annotations.Nullable;

/**
 * Every change that this module makes to the machine goes through here. Reading is not a change. In production nobody observes
 * and an effect costs one volatile read; a crash test observes, and ends the process before or after the effect of its choice.
 */
public final class Effects {
    /** Told of each effect, on the thread that performs it. {@code after} is told only of effects that succeeded. */
    public interface Observer {
        void before(String kind, String detail);

        void after(String kind, String detail);
    }

    private static volatile @Nullable Observer current;

    private Effects() {}

    /** Replaces the observer of this process; null removes it. */
    public static void observe(@Nullable Observer observer) {
        current = observer;
    }

    /** Performs an effect and returns what it yields. */
    public static <T, X extends Exception> T perform(String kind, String detail, Effect<T, X> effect) throws X {
        var observer = current;
        if (observer == null) {
            return effect.apply();
        }
        observer.before(kind, detail);
        T result = effect.apply();
        observer.after(kind, detail);
        return result;
    }

    /** Performs an effect that yields nothing. */
    public static <X extends Exception> void run(String kind, String detail, VoidEffect<X> effect) throws X {
        var observer = current;
        if (observer == null) {
            effect.apply();
            return;
        }
        observer.before(kind, detail);
        effect.apply();
        observer.after(kind, detail);
    }
}
