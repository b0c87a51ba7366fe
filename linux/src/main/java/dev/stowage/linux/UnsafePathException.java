package dev.stowage.linux;

/** A path that leads, or could lead, somewhere other than it says: a symbolic link in the way, or something of another kind. */
public final class UnsafePathException extends RuntimeException {
    public UnsafePathException(String message) {
        super(message);
    }
}
