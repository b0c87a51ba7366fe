package dev.stowage.array.rest;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A request.
 *
 * @param ids what stands in the address where the route has an asterisk
 */
record Call(List<String> ids, Parameters parameters) {

    /** What the client has to say when it may. */
    @FunctionalInterface
    interface Handler {
        Map<String, Object> answer(Call call);
    }

    String id() {
        return ids.getFirst();
    }

    /**
     * The part of a list that was asked for, and how long the list is.
     *
     * @param view how one is shown, which may cost much more than to know that it is there
     */
    <T> Map<String, Object> page(String name, Stream<T> all, Function<T, Map<String, Object>> view) {
        var list = all.toList();
        int from = (int) Math.min(list.size(), parameters.number("start", 0));
        int length = (int) Math.min(list.size() - from, parameters.number("limit", list.size()));
        var shown = list.subList(from, from + length).stream().map(view).toList();
        return Map.of(name, shown, "count", list.size());
    }
}
