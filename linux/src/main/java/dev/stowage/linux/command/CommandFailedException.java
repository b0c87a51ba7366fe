package dev.stowage.linux.command;

/** A program that could not be started, ran out of time, or ended with an error. */
public final class CommandFailedException extends RuntimeException {
    public CommandFailedException(String message) {
        super(message);
    }
}
