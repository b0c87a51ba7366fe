package dev.stowage.core.id;

import dev.stowage.core.error.StowageException;
import java.util.regex.Pattern;

/**
 * The name under which something was asked for, so that asking again finds it.
 *
 * <p>CSI allows any Unicode here. Orchestrators send {@code pvc-<uid>} and the like, and what looks alike must be alike, so a name is
 * visible ASCII that could not be mistaken for a path or an option.
 */
public record RequestName(String value) {

    private static final int MAXIMUM_BYTES = 128;
    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9][A-Za-z0-9 ._:@+=~-]*");

    public RequestName {
        SafeText.requireLength("name", value, MAXIMUM_BYTES);
        if (!ALLOWED.matcher(value).matches() || value.contains("..")) {
            throw StowageException.invalid(
                    "name %s: only letters, digits, spaces and ._:@+=~- are allowed, the first must be a letter or a digit, and '..' must not occur",
                    SafeText.quoted(value));
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
