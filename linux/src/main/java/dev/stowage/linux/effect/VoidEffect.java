package dev.stowage.linux.effect;

/** One change to the machine that yields nothing. */
@FunctionalInterface
public interface VoidEffect<X extends Exception> {
    void apply() throws X;
}
