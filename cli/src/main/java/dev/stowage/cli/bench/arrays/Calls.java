package dev.stowage.cli.bench.arrays;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** How often the controller asked its arrays what, as its metrics tell. */
record Calls(Map<Key, Long> counts) {

    private static final Pattern LINE = Pattern.compile(
            "^stowage_array_calls\\{array=\"([^\"]*)\",call=\"([^\"]*)\",outcome=\"([^\"]*)\"} (.*)$",
            Pattern.MULTILINE);
    private static final String NOT_ASKED = "not_asked";

    record Key(String array, String call, String outcome) {}

    Calls {
        counts = Map.copyOf(counts);
    }

    static Calls parse(String metrics) {
        var counts = new HashMap<Key, Long>();
        var matcher = LINE.matcher(metrics);
        while (matcher.find()) {
            counts.put(
                    new Key(matcher.group(1), matcher.group(2), matcher.group(3)),
                    Math.round(Double.parseDouble(matcher.group(4))));
        }
        return new Calls(counts);
    }

    /** Those that were made since. */
    Calls since(Calls before) {
        var more = new HashMap<Key, Long>();
        counts.forEach((key, count) -> {
            long grown = count - before.counts.getOrDefault(key, 0L);
            if (grown > 0) {
                more.put(key, grown);
            }
        });
        return new Calls(more);
    }

    Calls only(Predicate<Key> which) {
        var some = new HashMap<Key, Long>(counts);
        some.keySet().removeIf(which.negate());
        return new Calls(some);
    }

    /** How many arrays were really asked. */
    long total() {
        return counts.entrySet().stream()
                .filter(entry -> !entry.getKey().outcome().equals(NOT_ASKED))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    long of(String call) {
        return only(key -> key.call().equals(call)).total();
    }

    /** By call, over all arrays. */
    Map<String, Long> byCall() {
        var sums = new TreeMap<String, Long>();
        counts.forEach((key, count) -> {
            if (!key.outcome().equals(NOT_ASKED)) {
                sums.merge(key.call(), count, Long::sum);
            }
        });
        return sums;
    }
}
