package dev.stowage.linux.internal;

/** The raw calls. */
public final class Libc {
    private Libc() {}
}
