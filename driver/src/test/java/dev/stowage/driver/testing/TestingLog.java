package dev.stowage.driver.testing;

import dev.stowage.driver.log.LogLevel;
import dev.stowage.driver.log.Logging;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** Catches what is logged while it is open. */
public final class TestingLog implements AutoCloseable {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    public TestingLog(LogLevel level) {
        Logging.start(level, new PrintStream(bytes, true, StandardCharsets.UTF_8));
    }

    public String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    public List<String> lines() {
        return text().lines().toList();
    }

    /** A line may come a moment after the answer of the call that it is about. */
    public String awaitLine(Predicate<String> wanted) {
        return Eventually.get(
                Duration.ofSeconds(5),
                () -> lines().stream().filter(wanted).findFirst(),
                () -> "no such line in:\n" + text());
    }

    @Override
    public void close() {
        Logging.start(LogLevel.WARN, System.err);
    }
}
