package dev.stowage.core.id;

import dev.stowage.core.error.StowageException;
import java.nio.charset.StandardCharsets;

/** An absolute path that the orchestrator gave, already in its simplest form: nothing in it leads anywhere else than it says. */
public record TargetPath(String value) {

    private static final int MAXIMUM_BYTES = 4095;
    private static final int MAXIMUM_COMPONENT_BYTES = 255;

    public TargetPath {
        SafeText.requireLength("path", value, MAXIMUM_BYTES);
        if (!value.startsWith("/")) {
            throw StowageException.invalid("path %s must be absolute", SafeText.quoted(value));
        }
        if (value.chars().anyMatch(c -> c < 0x20 || c == 0x7f)) {
            throw StowageException.invalid("path %s must not hold control characters", SafeText.quoted(value));
        }
        // A trailing slash is harmless and some callers send it.
        value = value.length() > 1 && value.endsWith("/") ? value.substring(0, value.length() - 1) : value;
        if (value.equals("/")) {
            throw StowageException.invalid("path '/' cannot be a target");
        }
        for (String component : value.substring(1).split("/", -1)) {
            if (component.isEmpty() || component.equals(".") || component.equals("..")) {
                throw StowageException.invalid(
                        "path %s must be in its simplest form, without '//', '.' or '..'", SafeText.quoted(value));
            }
            if (component.getBytes(StandardCharsets.UTF_8).length > MAXIMUM_COMPONENT_BYTES) {
                throw StowageException.invalid(
                        "path %s has a component of more than %d bytes",
                        SafeText.quoted(value), MAXIMUM_COMPONENT_BYTES);
            }
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
