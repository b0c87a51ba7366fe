package dev.stowage.array.rest;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A request.
 *
 * @param ids what stands in the address where the route has a placeholder
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

    /** The part of a list that was asked for, and how long the list is. */
    Map<String, Object> page(String name, Stream<Map<String, Object>> all) {
        var list = all.toList();
        int from = (int) Math.min(list.size(), parameters.number("start", 0));
        int length = (int) Math.min(list.size() - from, parameters.number("limit", list.size()));
        return Map.of(name, list.subList(from, from + length), "count", list.size());
    }
}
