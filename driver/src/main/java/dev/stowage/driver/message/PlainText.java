package dev.stowage.driver.message;

import dev.stowage.core.error.StowageException;
import java.nio.charset.StandardCharsets;

/** Short text from outside that must be just text. */
final class PlainText {

    private PlainText() {}

    static void require(String what, String value) {
        if (value.chars().anyMatch(Character::isISOControl)) {
            throw StowageException.invalid("%s must not hold control characters such as line breaks or NUL", what);
        }
    }

    static void require(String what, String value, int maximumBytes) {
        require(what, value);
        if (value.getBytes(StandardCharsets.UTF_8).length > maximumBytes) {
            throw StowageException.invalid("%s is longer than %d bytes", what, maximumBytes);
        }
    }
}
