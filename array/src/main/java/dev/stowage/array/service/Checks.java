package dev.stowage.array.service;

import dev.stowage.core.volume.Sizes;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What callers may say. Names go into answers and logs, initiators' names and secrets go to the target. */
final class Checks {

    private static final int LONGEST_NAME = 255;
    private static final int LONGEST_INITIATOR = 223;
    private static final Pattern INITIATOR = Pattern.compile("(?:iqn|eui|naa)\\.[A-Za-z0-9.:_-]+");
    private static final Pattern SECRET = Pattern.compile("[!-+\\--~]{12,16}");
    private static final Pattern USER = Pattern.compile("[!-+\\--~]{1,64}");
    private static final Pattern CAPACITY = Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,6})?)([MGT]?)");
    private static final Pattern ADDRESS =
            Pattern.compile("([0-9]{1,3}(?:\\.[0-9]{1,3}){3}|[0-9a-fA-F:]*:[0-9a-fA-F:.]*)(?:/([0-9]{1,3}))?");
    private static final Pattern EXPORT_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");
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

    /** An address or a network, as it goes into the settings of the server of shares. */
    static String address(String value) {
        var match = ADDRESS.matcher(value);
        try {
            if (match.matches()) {
                var address = InetAddress.ofLiteral(match.group(1));
                int bits = match.group(2) == null ? 0 : Integer.parseInt(match.group(2));
                if (bits <= address.getAddress().length * Byte.SIZE) {
                    return value;
                }
            }
        } catch (IllegalArgumentException malformed) {
            // Told below.
        }
        throw Refusal.invalid(
                "iscsi: '%s' is not an address such as 192.0.2.7 or a network such as 192.0.2.0/24", value);
    }

    /** The last part of the path by which a share is mounted. */
    static boolean isExportName(String value) {
        return EXPORT_NAME.matcher(value).matches();
    }

    static String exportName(String value) {
        if (!isExportName(value)) {
            throw Refusal.invalid(
                    "export name: expected up to 128 letters, digits, dots, dashes and underscores, the first a letter or a digit, not '%s'",
                    value);
        }
        return value;
    }

    static void account(String what, @Nullable String value) {
        if (value != null && !value.matches("[0-9]{1,9}")) {
            throw Refusal.invalid("%s: '%s' is not the number of a user or a group", what, value);
        }
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
