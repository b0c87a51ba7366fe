package dev.stowage.core.page;

import dev.stowage.core.error.StowageException;

/** Which part of a listing is wanted: at most {@code size} entries (zero: no bound) after the place that {@code token} marks. */
public record PageRequest(int size, String token) {

    public static final PageRequest ALL = new PageRequest(0, "");

    public PageRequest {
        if (size < 0) {
            throw StowageException.invalid("max_entries %d must not be negative", size);
        }
    }
}
