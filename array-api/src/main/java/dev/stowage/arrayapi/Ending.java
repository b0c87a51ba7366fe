package dev.stowage.arrayapi;

import java.util.Locale;

/**
 * A call and how it ended.
 *
 * @param call method and path, with an asterisk in place of what differs from object to object, as in {@code GET /volumes/*}
 */
public record Ending(String call, Outcome outcome) {

    /** How a call can end. */
    public enum Outcome {
        /** The array did it, or does. */
        DONE,
        /** The array said no. */
        REFUSED,
        /** There was no answer, or none that could be used. */
        FAILED,
        /** The array was not asked: it is left alone, or too many calls wait for it. */
        NOT_ASKED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
