package dev.stowage.linux.effect;

/** One change to the machine that yields a value. */
@FunctionalInterface
public interface Effect<T, X extends Exception> {
    T apply() throws X;
}
