package dev.stowage.array.service;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Why a call was not done. The message goes to the client: it says what is wrong with which object, and never holds a secret. */
public final class Refusal extends RuntimeException {

    private final Status status;

    private Refusal(Status status, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.status = status;
    }

    public static Refusal of(Status status, String format, @Nullable Object... arguments) {
        return new Refusal(status, String.format(Locale.ROOT, format, arguments), null);
    }

    public static Refusal of(Status status, Throwable cause, String format, @Nullable Object... arguments) {
        return new Refusal(status, String.format(Locale.ROOT, format, arguments), cause);
    }

    public static Refusal invalid(String format, @Nullable Object... arguments) {
        return of(Status.INVALID, format, arguments);
    }

    public Status status() {
        return status;
    }
}
