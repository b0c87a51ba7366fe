package dev.stowage.manager.apply;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What is not the same in two objects.
 *
 * @param path as people write it, such as {@code spec.template.spec.containers[driver].image}
 */
public record Difference(
        String path, @Nullable Object before, @Nullable Object after) {

    private static final List<String> KEYS = List.of("name", "mountPath", "containerPort", "key");

    @Override
    public String toString() {
        return "%s is %s instead of %s".formatted(path, text(before), text(after));
    }

    private static String text(@Nullable Object value) {
        return value == null
                ? "absent"
                : value instanceof Map || value instanceof List ? "another" : String.valueOf(value);
    }

    /** All differences between two trees of maps, lists and values. */
    public static List<Difference> between(Map<String, Object> before, Map<String, Object> after) {
        var found = new ArrayList<Difference>();
        compareMaps("", before, after, found);
        return found;
    }

    private static void compare(String path, @Nullable Object before, @Nullable Object after, List<Difference> found) {
        if (isNothing(before) && isNothing(after)) {
            return;
        }
        if (before instanceof Map<?, ?> one && after instanceof Map<?, ?> other) {
            compareMaps(path, strings(one), strings(other), found);
        } else if (before instanceof List<?> one && after instanceof List<?> other) {
            compareLists(path, one, other, found);
        } else if (!Objects.equals(String.valueOf(before), String.valueOf(after))) {
            found.add(new Difference(path, before, after));
        }
    }

    private static void compareMaps(
            String path, Map<String, Object> before, Map<String, Object> after, List<Difference> found) {
        var keys = new TreeSet<>(before.keySet());
        keys.addAll(after.keySet());
        for (String key : keys) {
            compare(path.isEmpty() ? key : path + "." + key, before.get(key), after.get(key), found);
        }
    }

    private static void compareLists(String path, List<?> before, List<?> after, List<Difference> found) {
        var key = keyOf(before).flatMap(one -> keyOf(after).filter(one::equals));
        if (key.isPresent()) {
            var one = byKey(before, key.get());
            var other = byKey(after, key.get());
            var names = new LinkedHashSet<>(one.keySet());
            names.addAll(other.keySet());
            if (one.keySet().equals(other.keySet()) && !order(one).equals(order(other))) {
                found.add(new Difference(path, order(one), order(other)));
            }
            names.forEach(name -> compare(path + "[" + name + "]", one.get(name), other.get(name), found));
        } else {
            for (int index = 0; index < Math.max(before.size(), after.size()); index++) {
                compare(
                        path + "[" + index + "]",
                        index < before.size() ? before.get(index) : null,
                        index < after.size() ? after.get(index) : null,
                        found);
            }
        }
    }

    private static String order(Map<String, Object> elements) {
        return "in the order " + String.join(", ", elements.keySet());
    }

    /** By what the elements of a list are told apart, if each has it. */
    private static Optional<String> keyOf(List<?> list) {
        return KEYS.stream()
                .filter(key -> !list.isEmpty()
                        && list.stream().allMatch(each -> each instanceof Map<?, ?> map && map.containsKey(key))
                        && byKey(list, key).size() == list.size())
                .findFirst();
    }

    private static Map<String, Object> byKey(List<?> list, String key) {
        var found = new LinkedHashMap<String, Object>();
        for (Object each : list) {
            if (each instanceof Map<?, ?> map) {
                found.put(String.valueOf(map.get(key)), map);
            }
        }
        return found;
    }

    private static boolean isNothing(@Nullable Object value) {
        return value == null
                || value instanceof Map<?, ?> map && map.isEmpty()
                || value instanceof List<?> list && list.isEmpty();
    }

    private static Map<String, Object> strings(Map<?, ?> map) {
        var copy = new HashMap<String, Object>();
        map.forEach((key, value) -> copy.put(String.valueOf(key), value));
        return copy;
    }
}
