package dev.stowage.driver.log;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/** Keys and values that a log line carries besides its message. */
public final class LogFields {

    private static final SequencedMap<String, String> NONE = new LinkedHashMap<>();
    private static final ScopedValue<SequencedMap<String, String>> CONTEXT = ScopedValue.newInstance();
    private static final ScopedValue<SequencedMap<String, String>> DETAILS = ScopedValue.newInstance();

    private LogFields() {}

    /** Every line that is logged during {@code work} says that it belongs to this. */
    public static void within(SequencedMap<String, String> context, Runnable work) {
        ScopedValue.where(CONTEXT, context).run(work);
    }

    /** The line that {@code log} writes carries these details. */
    public static void with(SequencedMap<String, String> details, Runnable log) {
        ScopedValue.where(DETAILS, details).run(log);
    }

    static Map<String, String> context() {
        return CONTEXT.orElse(NONE);
    }

    static Map<String, String> details() {
        return DETAILS.orElse(NONE);
    }
}
