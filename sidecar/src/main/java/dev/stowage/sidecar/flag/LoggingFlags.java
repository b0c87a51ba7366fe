package dev.stowage.sidecar.flag;

import dev.stowage.driver.log.LogLevel;
import java.util.List;
import java.util.stream.Stream;

/** The flags by which the stock sidecars say how much they log and where. Here a log is lines on stderr. */
public final class LoggingFlags {

    private static final int CALLS = 5;
    private static final int EVERYTHING = 8;

    private LoggingFlags() {}

    public static List<Flag> all() {
        return Stream.concat(
                        Stream.of(Flag.of(
                                "v", Flag.Kind.INTEGER, "0", "How much is logged: 5 adds CSI calls, 8 everything.")),
                        Stream.concat(switches(), texts()))
                .toList();
    }

    private static Stream<Flag> switches() {
        return Stream.of(
                        "logtostderr",
                        "alsologtostderr",
                        "add_dir_header",
                        "skip_headers",
                        "skip_log_headers",
                        "one_output",
                        "log-text-split-stream",
                        "log-json-split-stream")
                .map(name -> Flag.withoutEffect(name, Flag.Kind.SWITCH, "the log is lines on stderr."));
    }

    private static Stream<Flag> texts() {
        return Stream.of(
                        "logging-format",
                        "log-flush-frequency",
                        "vmodule",
                        "stderrthreshold",
                        "log_dir",
                        "log_file",
                        "log_file_max_size",
                        "log_backtrace_at",
                        "log-text-info-buffer-size",
                        "log-json-info-buffer-size")
                .map(name -> Flag.withoutEffect(name, Flag.Kind.TEXT, "the log is lines on stderr."));
    }

    /** What a verbosity of the stock sidecars means here. */
    public static LogLevel level(Flags flags) {
        int verbosity = flags.integer("v");
        if (verbosity >= EVERYTHING) {
            return LogLevel.TRACE;
        }
        return verbosity >= CALLS ? LogLevel.DEBUG : LogLevel.INFO;
    }
}
