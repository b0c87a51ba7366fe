package dev.stowage.sidecar.preflight;

import dev.stowage.sidecar.json.JsonText;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What one look at the node gave.
 *
 * @param name a condition's type
 * @param ok nothing when it cannot be told
 * @param message says the same for as long as nothing changes on the node, so that nobody writes it down again
 */
public record Finding(String name, @Nullable Boolean ok, String message) {

    static Finding unknown(String name, String message) {
        return new Finding(name, null, message);
    }

    public static String json(List<Finding> findings) {
        return findings.stream().map(Finding::json).collect(Collectors.joining(",\n", "[", "]\n"));
    }

    private String json() {
        return "{\"name\": %s, \"ok\": %s, \"message\": %s}"
                .formatted(JsonText.quoted(name), ok, JsonText.quoted(message));
    }
}
