package dev.stowage.arrayapi;

import dev.stowage.arrayapi.ArrayException.Refused;
import dev.stowage.arrayapi.ArrayException.Unreachable;
import dev.stowage.arrayapi.Ending.Outcome;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Counts the calls to one array by what was asked and how it ended. */
final class Tally {

    private static final String BY_NAME = "display_name";

    private final Map<Ending, LongAdder> endings = new ConcurrentHashMap<>();

    /** In all paths, what comes second is the id of an object. To look for a name is something else than to list everything. */
    static String call(String method, String path, Set<String> query) {
        var segments = path.split("/", -1);
        if (segments.length > 2) {
            segments[2] = "*";
        }
        return method + " " + String.join("/", segments) + (query.contains(BY_NAME) ? "?" + BY_NAME : "");
    }

    <T> T count(String call, Supplier<T> asking) {
        var outcome = Outcome.FAILED;
        try {
            T answer = asking.get();
            outcome = Outcome.DONE;
            return answer;
        } catch (Refused refused) {
            outcome = Outcome.REFUSED;
            throw refused;
        } catch (Unreachable unreachable) {
            outcome = unreachable.notAsked() ? Outcome.NOT_ASKED : Outcome.FAILED;
            throw unreachable;
        } finally {
            endings.computeIfAbsent(new Ending(call, outcome), key -> new LongAdder())
                    .increment();
        }
    }

    Map<Ending, Long> counts() {
        return endings.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().sum()));
    }
}
