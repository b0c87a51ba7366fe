package dev.stowage.driver.log;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.temporal.ChronoUnit;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;

/** One event, one line: {@code ts=… level=… call=… rpc=… logger=… msg="…" key=value}. */
final class LineFormatter extends Formatter {

    @Override
    public String format(LogRecord event) {
        var line = new StringBuilder(160);
        line.append("ts=").append(event.getInstant().truncatedTo(ChronoUnit.MILLIS));
        line.append(" level=").append(LogLevel.of(event.getLevel()).word());
        LogFields.context().forEach((key, value) -> append(line, key, value));
        append(line, "logger", shortName(event.getLoggerName()));
        line.append(" msg=");
        LogText.appendQuoted(line, formatMessage(event));
        LogFields.details().forEach((key, value) -> append(line, key, value));
        var thrown = event.getThrown();
        if (thrown != null) {
            var trace = new StringWriter();
            thrown.printStackTrace(new PrintWriter(trace));
            line.append(" trace=");
            LogText.appendQuoted(line, trace.toString());
        }
        return line.append('\n').toString();
    }

    private static void append(StringBuilder line, String key, String value) {
        line.append(' ').append(key).append('=');
        LogText.appendValue(line, value);
    }

    private static String shortName(@Nullable String logger) {
        return logger == null ? "" : logger.substring(logger.lastIndexOf('.') + 1);
    }
}
