package dev.stowage.cli.bench;

import dev.stowage.cli.client.CsiClient;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A driver as a process of its own, which can be stopped and started again on the same state. */
abstract sealed class DriverUnderTest implements Ending permits Ours, Reference {

    static final String NODE = "bench-node";

    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration STOP = Duration.ofSeconds(40);
    private static final Duration GLANCE = Duration.ofNanos(500_000);

    private final String label;
    private final Path home;
    private @Nullable Process process;
    private boolean ended;
    private @Nullable CsiClient client;

    /** @param home an empty or absent directory for everything of this driver */
    DriverUnderTest(String label, Path home) throws IOException {
        this.label = label;
        this.home = home;
        Files.createDirectories(home);
    }

    /** The command line that serves {@link #socket()}. */
    abstract List<String> command();

    /** How many volumes to ask for at once in a listing by pages; 0 where the driver knows no pages. */
    abstract int pageSize();

    String label() {
        return label;
    }

    Path home() {
        return home;
    }

    Path socket() {
        return home.resolve("csi.sock");
    }

    private Path log() {
        return home.resolve("driver.log");
    }

    /** Starts the process; tells how long it took from there to the first good answer to a Probe. */
    Duration start() throws IOException, InterruptedException {
        var builder = new ProcessBuilder(command())
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                .redirectError(ProcessBuilder.Redirect.appendTo(log().toFile()))
                .redirectInput(Path.of("/dev/null").toFile());
        builder.environment().put("STOWAGE_NO_BUILD", "1");
        long begin = System.nanoTime();
        var started = spawn(builder);
        awaitSocket(started, begin);
        var connected = CsiClient.connect(socket());
        client = connected;
        if (!connected.awaitReady(START, started::isAlive)) {
            throw new IOException(label + " did not become ready; its log ends with:\n" + lastWords());
        }
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    private synchronized Process spawn(ProcessBuilder builder) throws IOException {
        if (ended) {
            throw new IOException("the run was interrupted");
        }
        process = builder.start();
        return process;
    }

    /** A refused gRPC connection would back off for longer than what is measured here, so the first connection is a bare one. */
    private void awaitSocket(Process started, long begin) throws IOException, InterruptedException {
        while (!accepts()) {
            if (!started.isAlive() || System.nanoTime() - begin > START.toNanos()) {
                throw new IOException(
                        label + " does not listen on " + socket() + "; its log ends with:\n" + lastWords());
            }
            Thread.sleep(GLANCE);
        }
    }

    private boolean accepts() {
        if (!Files.exists(socket())) {
            return false;
        }
        try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return channel.connect(UnixDomainSocketAddress.of(socket()));
        } catch (IOException notYet) {
            return false;
        }
    }

    CsiClient client() {
        if (client == null) {
            throw new IllegalStateException(label + " has not been started");
        }
        return client;
    }

    Memory memory() throws IOException {
        if (process == null) {
            throw new IllegalStateException(label + " has not been started");
        }
        return Memory.of(process.pid());
    }

    void requireAlive() throws IOException {
        if (process == null || !process.isAlive()) {
            throw new IOException(label + " ended in the middle of the run; its log ends with:\n" + lastWords());
        }
    }

    /** Ends the process and leaves its state where it is. */
    synchronized void stop() throws InterruptedException {
        if (client != null) {
            client.close();
            client = null;
        }
        if (process != null) {
            process.destroy();
            if (!process.waitFor(STOP.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
            process = null;
        }
    }

    @Override
    public synchronized void end() throws InterruptedException {
        ended = true;
        stop();
    }

    private String lastWords() throws IOException {
        if (!Files.exists(log())) {
            return "(no log)";
        }
        var lines = Files.readAllLines(log());
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 15), lines.size()));
    }

    @Override
    public String toString() {
        return label;
    }
}
