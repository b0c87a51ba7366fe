package dev.stowage.driver.log;

import dev.stowage.core.error.StowageException;
import java.util.Arrays;
import java.util.Locale;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;

/** How much is logged; it can change while the process runs. */
public enum LogLevel {
    TRACE(Level.FINEST),
    DEBUG(Level.FINE),
    INFO(Level.INFO),
    WARN(Level.WARNING),
    ERROR(Level.SEVERE);

    /** Held, because the logging of the JDK forgets the level of a logger that nobody refers to. */
    private static final Logger OURS = Logger.getLogger("dev.stowage");

    private static final Logger ROOT = Logger.getLogger("");

    /** Warns with a stack trace whenever somebody connects and goes without a word, as whoever probes for a stale socket does. */
    private static final Logger TRANSPORT = Logger.getLogger("io.grpc.okhttp.OkHttpServerTransport");

    /** Warns that a version is unstable, each time for each kind, of our own resources too. Who chose the version knows. */
    private static final Logger VERSIONS =
            Logger.getLogger("io.fabric8.kubernetes.client.dsl.internal.VersionUsageUtils");

    @SuppressWarnings("ImmutableEnumChecker") // a level of the JDK never changes
    private final Level level;

    LogLevel(Level level) {
        this.level = level;
    }

    public static LogLevel parse(String word) {
        return Arrays.stream(values())
                .filter(level -> level.word().equals(word.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> StowageException.invalid(
                        "log level: expected one of %s",
                        Arrays.stream(values()).map(LogLevel::word).collect(Collectors.joining(", "))));
    }

    /**
     * Changes what is logged from now on.
     *
     * <p>Libraries never go below info: at debug the gRPC transport would log the bytes of messages, and with them secrets.
     */
    public static void set(LogLevel level) {
        OURS.setLevel(level.level);
        ROOT.setLevel(level.compareTo(INFO) < 0 ? Level.INFO : level.level);
        var quiet = level.compareTo(INFO) < 0 ? Level.INFO : Level.SEVERE;
        TRANSPORT.setLevel(quiet);
        VERSIONS.setLevel(quiet);
    }

    public static LogLevel current() {
        var level = OURS.getLevel();
        return level == null ? INFO : of(level);
    }

    static LogLevel of(Level level) {
        int value = level.intValue();
        if (value >= Level.SEVERE.intValue()) {
            return ERROR;
        }
        if (value >= Level.WARNING.intValue()) {
            return WARN;
        }
        if (value >= Level.INFO.intValue()) {
            return INFO;
        }
        return value >= Level.FINE.intValue() ? DEBUG : TRACE;
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
