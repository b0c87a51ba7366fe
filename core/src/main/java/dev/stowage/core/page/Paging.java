package dev.stowage.core.page;

import dev.stowage.core.error.StowageException;
import dev.stowage.core.error.StowageException.InvalidRequest;
import java.util.ArrayList;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Cuts a sorted map into pages.
 *
 * <p>A token names the last key that was returned, not a position: entries that come or go between two pages neither repeat nor hide
 * the others, and a token stays good after a restart.
 */
public final class Paging {

    private static final String PREFIX = "after:";

    private Paging() {}

    /**
     * The wanted page of those values that {@code wanted} accepts.
     *
     * @param key turns a token's text into a key and throws {@link InvalidRequest} when it cannot be one
     */
    public static <K extends Comparable<K>, V> Page<V> of(
            NavigableMap<K, V> all, PageRequest request, Function<String, K> key, Predicate<V> wanted) {
        var rest = request.token().isEmpty() ? all : all.tailMap(lastKey(request.token(), key), false);
        var entries = new ArrayList<V>();
        String last = "";
        for (Map.Entry<K, V> entry : rest.entrySet()) {
            if (!wanted.test(entry.getValue())) {
                continue;
            }
            if (request.size() != 0 && entries.size() == request.size()) {
                return new Page<>(entries, PREFIX + last);
            }
            entries.add(entry.getValue());
            last = entry.getKey().toString();
        }
        return new Page<>(entries, "");
    }

    private static <K> K lastKey(String token, Function<String, K> key) {
        try {
            if (token.startsWith(PREFIX)) {
                return key.apply(token.substring(PREFIX.length()));
            }
        } catch (InvalidRequest notAKey) {
            throw badToken();
        }
        throw badToken();
    }

    /** CSI's word for a token that was not given out is ABORTED: the caller starts the listing anew. */
    private static StowageException badToken() {
        return StowageException.busy(
                "starting_token was not given out by this driver; start the listing again without one");
    }
}
