package dev.stowage.array.service;

import dev.stowage.core.volume.Sizes;
import java.math.BigDecimal;
import java.util.regex.Pattern;

/** What callers may say. Names go into answers and logs, initiators' names and secrets go to the target. */
final class Checks {

    private static final int LONGEST_NAME = 255;
    private static final int LONGEST_INITIATOR = 223;
    private static final Pattern INITIATOR = Pattern.compile("(?:iqn|eui|naa)\\.[A-Za-z0-9.:_-]+");
    private static final Pattern SECRET = Pattern.compile("[!-+\\--~]{12,16}");
    private static final Pattern USER = Pattern.compile("[!-+\\--~]{1,64}");
    private static final Pattern CAPACITY = Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,6})?)([MGT]?)");
    private static final long LARGEST = 256 * Sizes.TIB;
    private static final long SECTOR = 512;

    private Checks() {}

    static String name(String what, String value) {
        if (value.length() > LONGEST_NAME || value.isBlank() || value.chars().anyMatch(Character::isISOControl)) {
            throw Refusal.invalid("%s: expected up to %d printable characters", what, LONGEST_NAME);
        }
        return value;
    }

    static String comment(String value) {
        if (value.length() > LONGEST_NAME || value.chars().anyMatch(Character::isISOControl)) {
            throw Refusal.invalid("comment: expected up to %d printable characters", LONGEST_NAME);
        }
        return value;
    }

    static String initiator(String value) {
        if (value.length() > LONGEST_INITIATOR || !INITIATOR.matcher(value).matches()) {
            throw Refusal.invalid("iqn: '%s' is not an initiator's name such as iqn.1993-08.org.debian:01:abc", value);
        }
        return value;
    }

    static String user(String value) {
        if (!USER.matcher(value).matches()) {
            throw Refusal.invalid("a CHAP user is up to 64 visible characters without a comma");
        }
        return value;
    }

    static String secret(String value) {
        if (!SECRET.matcher(value).matches()) {
            throw Refusal.invalid("a CHAP secret is 12 to 16 visible characters without a comma");
        }
        return value;
    }

    /** Reads {@code 10G}, also {@code 512M} and {@code 1T}; a number alone means gibibytes, as everywhere in this API. */
    static long capacity(String value) {
        var match = CAPACITY.matcher(value);
        if (!match.matches()) {
            throw Refusal.invalid("capacity: expected a size such as 10G, not '%s'", value);
        }
        long unit = switch (match.group(2)) {
            case "M" -> Sizes.MIB;
            case "T" -> Sizes.TIB;
            default -> Sizes.GIB;
        };
        var bytes = new BigDecimal(match.group(1)).multiply(BigDecimal.valueOf(unit));
        if (bytes.compareTo(BigDecimal.valueOf(Sizes.MIB)) < 0 || bytes.compareTo(BigDecimal.valueOf(LARGEST)) > 0) {
            throw Refusal.invalid("capacity: %s is not between 1M and %s", value, Sizes.text(LARGEST));
        }
        return bytes.longValue() / SECTOR * SECTOR;
    }
}
