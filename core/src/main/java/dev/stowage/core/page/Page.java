package dev.stowage.core.page;

import java.util.List;
import java.util.function.Function;

/** A part of a listing; an empty {@code nextToken} says that it is the last. */
public record Page<T>(List<T> entries, String nextToken) {

    public Page {
        entries = List.copyOf(entries);
    }

    public <R> Page<R> map(Function<T, R> change) {
        return new Page<>(entries.stream().map(change).toList(), nextToken);
    }
}
