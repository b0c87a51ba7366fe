package dev.stowage.kube.local;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is not in a document is empty, not null. */
final class Lists {

    private Lists() {}

    static <T> List<T> orEmpty(@Nullable List<T> list) {
        return list == null ? List.of() : List.copyOf(list);
    }

    static <V> Map<String, V> orEmpty(@Nullable Map<String, V> map) {
        return map == null ? Map.of() : Map.copyOf(map);
    }
}
