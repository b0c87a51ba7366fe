package dev.stowage.core.id;

import dev.stowage.core.error.StowageException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** The checks that every text from outside passes before it becomes a type. */
final class SafeText {

    /** Fit to be one component of a path and one word of a command: no separator, no leading dot or dash, nothing invisible. */
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

    private static final int SHOWN = 40;

    private SafeText() {}

    static String word(String what, String value, int maximumBytes) {
        requireLength(what, value, maximumBytes);
        if (!WORD.matcher(value).matches()) {
            throw StowageException.invalid(
                    "%s %s: only letters, digits, '.', '_' and '-' are allowed, and the first must be a letter or a digit",
                    what, quoted(value));
        }
        return value;
    }

    static void requireLength(String what, String value, int maximumBytes) {
        if (value.isEmpty()) {
            throw StowageException.invalid("%s is missing", what);
        }
        if (value.length() > maximumBytes || value.getBytes(StandardCharsets.UTF_8).length > maximumBytes) {
            throw StowageException.invalid("%s %s is too long: %d bytes at most", what, quoted(value), maximumBytes);
        }
    }

    /** The value as it may stand in a message: short, on one line, nothing invisible. */
    static String quoted(String value) {
        var shown = new StringBuilder("'");
        value.codePoints().limit(SHOWN).forEach(c -> {
            if (c >= 0x20 && c < 0x7f) {
                shown.append((char) c);
            } else {
                shown.append(String.format("\\u{%x}", c));
            }
        });
        return shown.append(value.length() > SHOWN ? "…'" : "'").toString();
    }
}
