package dev.stowage.core.error;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A failure that a caller can act on.
 *
 * <p>The message names the object, what was tried, why it failed and what can be done. It reaches logs, events and users, so it
 * never holds a secret.
 */
public abstract sealed class StowageException extends RuntimeException {

    private StowageException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    public static InvalidRequest invalid(String format, @Nullable Object... arguments) {
        return new InvalidRequest(text(format, arguments));
    }

    public static NotFound notFound(String format, @Nullable Object... arguments) {
        return new NotFound(text(format, arguments));
    }

    public static AlreadyExists alreadyExists(String format, @Nullable Object... arguments) {
        return new AlreadyExists(text(format, arguments));
    }

    public static Busy busy(String format, @Nullable Object... arguments) {
        return new Busy(text(format, arguments));
    }

    public static NotPossible notPossible(String format, @Nullable Object... arguments) {
        return new NotPossible(text(format, arguments));
    }

    public static Exhausted exhausted(String format, @Nullable Object... arguments) {
        return new Exhausted(text(format, arguments));
    }

    public static OutOfRange outOfRange(String format, @Nullable Object... arguments) {
        return new OutOfRange(text(format, arguments));
    }

    public static Unavailable unavailable(String format, @Nullable Object... arguments) {
        return new Unavailable(text(format, arguments), null);
    }

    public static Unavailable unavailable(Throwable cause, String format, @Nullable Object... arguments) {
        return new Unavailable(text(format, arguments), cause);
    }

    public static Internal internal(String format, @Nullable Object... arguments) {
        return new Internal(text(format, arguments), null);
    }

    public static Internal internal(Throwable cause, String format, @Nullable Object... arguments) {
        return new Internal(text(format, arguments), cause);
    }

    private static String text(String format, @Nullable Object... arguments) {
        return String.format(Locale.ROOT, format, arguments);
    }

    /** The request itself is wrong and will stay wrong. */
    public static final class InvalidRequest extends StowageException {
        private InvalidRequest(String message) {
            super(message, null);
        }
    }

    /** The named object is not there. */
    public static final class NotFound extends StowageException {
        private NotFound(String message) {
            super(message, null);
        }
    }

    /** The name is taken by something that was asked for differently. */
    public static final class AlreadyExists extends StowageException {
        private AlreadyExists(String message) {
            super(message, null);
        }
    }

    /** Another operation holds the object; the caller comes back. */
    public static final class Busy extends StowageException {
        private Busy(String message) {
            super(message, null);
        }
    }

    /** The object is not in a state that allows it; something else has to happen first. */
    public static final class NotPossible extends StowageException {
        private NotPossible(String message) {
            super(message, null);
        }
    }

    /** There is no room, or no place that fits. */
    public static final class Exhausted extends StowageException {
        private Exhausted(String message) {
            super(message, null);
        }
    }

    /** A size or an offset lies outside of what is possible. */
    public static final class OutOfRange extends StowageException {
        private OutOfRange(String message) {
            super(message, null);
        }
    }

    /** The storage cannot be reached now; it may be later. */
    public static final class Unavailable extends StowageException {
        private Unavailable(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /** Something failed below us that the caller cannot mend by asking differently. */
    public static final class Internal extends StowageException {
        private Internal(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }
}
