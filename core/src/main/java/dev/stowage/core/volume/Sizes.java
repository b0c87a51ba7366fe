package dev.stowage.core.volume;

import dev.stowage.core.error.StowageException;
import java.util.Locale;
import java.util.regex.Pattern;

/** Sizes as people and Kubernetes write them. */
public final class Sizes {

    public static final long KIB = 1L << 10;
    public static final long MIB = 1L << 20;
    public static final long GIB = 1L << 30;
    public static final long TIB = 1L << 40;

    private static final Pattern QUANTITY = Pattern.compile("([0-9]{1,18})(Ki|Mi|Gi|Ti|Pi|k|M|G|T|P)?");

    private Sizes() {}

    /** Reads {@code 1073741824}, {@code 10Gi} or {@code 10G}; {@code what} names the value in an error. */
    public static long parse(String what, String value) {
        var match = QUANTITY.matcher(value);
        if (!match.matches()) {
            throw StowageException.invalid("%s: expected a size such as 10Gi, 500M or a number of bytes", what);
        }
        String unit = match.group(2);
        long factor = switch (unit == null ? "" : unit) {
            case "Ki" -> KIB;
            case "Mi" -> MIB;
            case "Gi" -> GIB;
            case "Ti" -> TIB;
            case "Pi" -> TIB << 10;
            case "k" -> 1_000L;
            case "M" -> 1_000_000L;
            case "G" -> 1_000_000_000L;
            case "T" -> 1_000_000_000_000L;
            case "P" -> 1_000_000_000_000_000L;
            default -> 1L;
        };
        try {
            return Math.multiplyExact(Long.parseLong(match.group(1)), factor);
        } catch (ArithmeticException overflow) {
            throw StowageException.invalid("%s: %s is more bytes than can be counted", what, value);
        }
    }

    /** The size for a message, exact where it is a whole number of units. */
    public static String text(long bytes) {
        if (bytes >= TIB) {
            return text(bytes, TIB, "TiB");
        }
        if (bytes >= GIB) {
            return text(bytes, GIB, "GiB");
        }
        if (bytes >= MIB) {
            return text(bytes, MIB, "MiB");
        }
        return bytes >= KIB ? text(bytes, KIB, "KiB") : bytes + " B";
    }

    private static String text(long bytes, long unit, String name) {
        return bytes % unit == 0
                ? bytes / unit + " " + name
                : String.format(Locale.ROOT, "%.2f %s", (double) bytes / unit, name);
    }
}
