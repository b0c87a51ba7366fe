package dev.stowage.arrayapi;

import java.net.ConnectException;
import org.jspecify.annotations.Nullable;

/** An array did not do what it was asked. The message never holds a secret. */
public abstract sealed class ArrayException extends RuntimeException {

    private ArrayException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Why an array cannot be reached. */
    public enum Cause {
        /** No connection, or no answer in time. */
        NETWORK,
        /** Its certificate is not to be trusted. */
        CERTIFICATE,
        /** It does not take our access key. */
        CREDENTIALS,
        /** What answers does not speak as an array does. */
        NOT_AN_ARRAY,
        /** It failed so often that it is left alone for a while. */
        LEFT_ALONE
    }

    /** There was no answer, or none that could be used. The call may have been carried out all the same. */
    public static final class Unreachable extends ArrayException {
        private final Cause reason;

        public Unreachable(Cause reason, String message, @Nullable Throwable cause) {
            super(message, cause);
            this.reason = reason;
        }

        public Cause reason() {
            return reason;
        }

        /** Whether the array was not asked at all, so that nothing can have happened. */
        public boolean notAsked() {
            return reason == Cause.LEFT_ALONE || getCause() instanceof ConnectException;
        }
    }

    /** The array understood, and said no. Nothing has changed. */
    public static final class Refused extends ArrayException {
        private final int status;

        public Refused(int status, String message) {
            super(message, null);
            this.status = status;
        }

        /** The array's number for why. */
        public int status() {
            return status;
        }
    }
}
