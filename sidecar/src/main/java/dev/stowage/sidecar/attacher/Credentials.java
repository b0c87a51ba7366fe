package dev.stowage.sidecar.attacher;

import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** What only the driver may see. It has no text of its own. */
final class Credentials {

    static final Credentials NONE = new Credentials(Map.of());

    /** Shorter values are no secrets, and taking them out of a text would make it unreadable. */
    private static final int SHORTEST = 4;

    private final Map<String, String> values;

    private Credentials(Map<String, String> values) {
        this.values = values;
    }

    static Credentials of(Secret secret) {
        var values = new HashMap<String, String>();
        Objects.requireNonNullElse(secret.getData(), Map.<String, String>of())
                .forEach((key, value) ->
                        values.put(key, new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8)));
        return new Credentials(values);
    }

    /** For the driver alone. */
    Map<String, String> values() {
        return values;
    }

    /** A text from the driver without any of the values, in case it repeats them. */
    String strippedFrom(String text) {
        String stripped = text;
        for (String value : values.values()) {
            if (value.length() >= SHORTEST) {
                stripped = stripped.replace(value, "<stripped>");
            }
        }
        return stripped;
    }

    @Override
    public String toString() {
        return "<stripped>";
    }
}
