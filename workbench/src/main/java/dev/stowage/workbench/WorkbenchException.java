package dev.stowage.workbench;

import org.jspecify.annotations.Nullable;

/** A failure whose message is for the user: what was tried, on what, why it failed and what can be done. */
public final class WorkbenchException extends RuntimeException {
    public WorkbenchException(String message) {
        super(message);
    }

    public WorkbenchException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
