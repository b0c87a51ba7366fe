package dev.stowage.cli.tour;

import dev.stowage.cli.client.CsiClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A driver of our own, started the way anybody would: {@code stowage driver} as a process, with its log in a file. */
final class DriverUnderTour implements AutoCloseable {

    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration STOP = Duration.ofSeconds(40);

    private final Process process;
    private final Path log;
    private final CsiClient client;

    private DriverUnderTour(Process process, Path log, CsiClient client) {
        this.process = process;
        this.log = log;
        this.client = client;
    }

    static DriverUnderTour start(Path socket, Path log, List<String> command) throws IOException, InterruptedException {
        var builder = new ProcessBuilder(command)
                .redirectOutput(log.toFile())
                .redirectError(log.toFile())
                .redirectInput(Path.of("/dev/null").toFile());
        builder.environment().put("STOWAGE_NO_BUILD", "1");
        var process = builder.start();
        var client = CsiClient.connect(socket);
        var driver = new DriverUnderTour(process, log, client);
        if (!client.awaitReady(START, process::isAlive)) {
            driver.close();
            throw new IOException("the driver did not start; its log says:\n" + driver.lastWords());
        }
        return driver;
    }

    CsiClient client() {
        return client;
    }

    long pid() {
        return process.pid();
    }

    String lastWords() {
        try (var lines = Files.lines(log)) {
            var all = lines.toList();
            return String.join("\n", all.subList(Math.max(0, all.size() - 15), all.size()));
        } catch (IOException unreadable) {
            return "(" + log + " cannot be read: " + unreadable.getMessage() + ")";
        }
    }

    /** Leaves the driver running. */
    void letGo() {
        client.close();
    }

    @Override
    public void close() {
        client.close();
        process.destroy();
        try {
            if (!process.waitFor(STOP.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor(5, TimeUnit.SECONDS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
