package dev.stowage.cli.bench;

import java.time.Duration;
import java.util.Locale;

/** Numbers as people read them. */
public final class Figures {

    private Figures() {}

    /** Three digits and the unit that suits them. */
    public static String time(Duration duration) {
        double milliseconds = duration.toNanos() / 1e6;
        return milliseconds >= 1000 ? threeDigits(milliseconds / 1000) + " s" : threeDigits(milliseconds) + " ms";
    }

    public static String ratio(double ratio) {
        return ratio < 0.0995
                ? String.format(Locale.ROOT, ratio < 0.00995 ? "%.4f" : "%.3f", ratio)
                : threeDigits(ratio);
    }

    public static String megabytes(long bytes) {
        return Math.round(bytes / 1e6) + " MB";
    }

    private static String threeDigits(double value) {
        String format = value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%.0f";
        return String.format(Locale.ROOT, format, value);
    }
}
