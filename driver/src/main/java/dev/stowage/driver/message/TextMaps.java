package dev.stowage.driver.message;

import dev.stowage.core.error.StowageException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Maps of text from outside. Neither keys nor values of a refused map are repeated in the error, since they may be long or private. */
public final class TextMaps {

    /** CSI's bound for a map. */
    private static final int MAXIMUM_BYTES = 4 << 10;

    /** Contexts carry what the orchestrator adds, such as tokens of service accounts, and outgrow CSI's bound. */
    private static final int MAXIMUM_CONTEXT_BYTES = 64 << 10;

    /** As much as a Kubernetes Secret can hold. */
    private static final int MAXIMUM_SECRET_BYTES = 1 << 20;

    private TextMaps() {}

    public static Map<String, String> parameters(String field, Map<String, String> map) {
        requireSize(field, map, MAXIMUM_BYTES);
        requirePlain(field, map);
        return map;
    }

    public static Map<String, String> context(String field, Map<String, String> map) {
        requireSize(field, map, MAXIMUM_CONTEXT_BYTES);
        requirePlain(field, map);
        return map;
    }

    /** Secrets may hold several lines, such as keys; they are only bounded. */
    public static void secrets(Map<String, String> map) {
        requireSize("secrets", map, MAXIMUM_SECRET_BYTES);
    }

    private static void requireSize(String field, Map<String, String> map, int maximum) {
        long total = 0;
        for (var entry : map.entrySet()) {
            total += bytes(entry.getKey()) + bytes(entry.getValue());
        }
        if (total > maximum) {
            throw StowageException.invalid(
                    "%s: %d bytes of keys and values are more than the %d allowed", field, total, maximum);
        }
    }

    private static void requirePlain(String field, Map<String, String> map) {
        for (var entry : map.entrySet()) {
            if (entry.getKey().isEmpty()) {
                throw StowageException.invalid("%s: a key is empty", field);
            }
            PlainText.require(field + ": a key", entry.getKey());
            PlainText.require(field + ": a value", entry.getValue());
        }
    }

    private static long bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
