package dev.stowage.linux.record;

/** A record log that cannot be opened or written. The message names the file and what to do. */
public final class RecordLogException extends RuntimeException {
    public RecordLogException(String message) {
        super(message);
    }

    public RecordLogException(String message, Throwable cause) {
        super(message, cause);
    }
}
