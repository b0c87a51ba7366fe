package dev.stowage.sidecar.flag;

import dev.stowage.core.error.StowageException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;

/** Durations such as {@code 1m30s}, {@code 1.5h} or {@code 300ms}. */
public final class GoDuration {

    private static final Pattern PART = Pattern.compile("([0-9]*\\.?[0-9]+|[0-9]+\\.)(ns|us|µs|μs|ms|s|m|h)");
    private static final Pattern WHOLE = Pattern.compile("(?:" + PART.pattern() + ")+");
    private static final Map<String, Long> NANOS = Map.of(
            "ns", 1L,
            "us", 1_000L,
            "µs", 1_000L,
            "μs", 1_000L,
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", 60_000_000_000L,
            "h", 3_600_000_000_000L);

    private GoDuration() {}

    public static Duration parse(String text) {
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        if (!WHOLE.matcher(text).matches()) {
            throw StowageException.invalid("\"%s\" is not a duration such as 15s, 1m30s or 300ms", text);
        }
        var nanos = PART.matcher(text)
                .results()
                .map(part -> new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unit(part.group(2)))))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        try {
            return Duration.ofNanos(nanos.toBigInteger().longValueExact());
        } catch (ArithmeticException tooLong) {
            throw StowageException.invalid("\"%s\" is longer than a duration can be", text);
        }
    }

    private static long unit(String name) {
        return NANOS.getOrDefault(name, 0L);
    }
}
