package dev.stowage.conformance.vsc;

import dev.stowage.arrayapi.ArrayAddress;
import dev.stowage.arrayapi.ArrayClient;
import dev.stowage.arrayapi.ArrayTrust;
import dev.stowage.conformance.harness.Spawning;
import dev.stowage.conformance.harness.Workspace;
import dev.stowage.conformance.pool.Eventually;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An array of our own as a process, on a filesystem of its own that shares blocks. */
public final class RunningArray implements AutoCloseable {

    public static final String TOKEN = "conformance-token";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Workspace workspace;
    private final String name;
    private final int port;
    private final int portal;
    private final List<String> more;
    private final HttpClient http =
            HttpClient.newBuilder().sslContext(ArrayTrust.unverified()).build();
    private volatile Process process;

    private RunningArray(Workspace workspace, String name, List<String> more) throws IOException {
        this.workspace = workspace;
        this.name = name;
        this.more = List.copyOf(more);
        this.port = freePort();
        this.portal = freePort();
        Path image = workspace.root().resolve(name + ".img");
        Workspace.run("truncate", "--size=8G", image.toString());
        Workspace.run("mkfs.xfs", "-q", image.toString());
        Workspace.run("mount", "-o", "loop", image.toString(), data().toString());
        Files.writeString(workspace.root().resolve(name + ".token"), TOKEN);
        process = start();
    }

    static RunningArray start(Workspace workspace, String name, String... more) {
        try {
            return new RunningArray(workspace, name, List.of(more));
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private Path data() {
        return workspace.directory(name + ".data");
    }

    private Process start() throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getenv("STOWAGE_HOME"), "stowage").toString(),
                "array",
                "--listen",
                "127.0.0.1:" + port,
                "--data",
                data().toString(),
                "--token-file",
                workspace.root().resolve(name + ".token").toString(),
                "--portal",
                "127.0.0.1:" + portal,
                "--name",
                name,
                "--misbehave",
                ""));
        command.addAll(more);
        Path log = workspace.root().resolve(name + ".log");
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("STOWAGE_NO_BUILD", "1");
        var started = Spawning.start(builder);
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!answers()) {
            if (!started.isAlive() || System.nanoTime() > end) {
                throw new IllegalStateException("the array " + name + " did not start:\n" + Files.readString(log));
            }
            pause();
        }
        return started;
    }

    private boolean answers() {
        try {
            return !client().pools().isEmpty();
        } catch (RuntimeException notYet) {
            return false;
        }
    }

    private static void pause() {
        try {
            Thread.sleep(50);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    String name() {
        return name;
    }

    /** What a VPSA names as its host. */
    String hostname() {
        return (more.contains("--tls-certificate") ? "https://" : "") + "127.0.0.1:" + port;
    }

    /** A client of its own, which no failure of the driver's touches. */
    public ArrayClient client() {
        return ArrayClient.of(http, ArrayAddress.parse(hostname(), false), () -> TOKEN, TIMEOUT);
    }

    /** Which rules it goes wrong by from now on. */
    void misbehave(String rules) {
        try {
            var response = http.send(
                    HttpRequest.newBuilder(
                                    ArrayAddress.parse(hostname(), false).base().resolve("/misbehave"))
                            .header("X-Access-Key", TOKEN)
                            .PUT(HttpRequest.BodyPublishers.ofString(rules))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IllegalStateException(response.body());
            }
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    void stop() {
        process.destroy();
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("the array " + name + " did not end");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Without a goodbye; its target goes on. */
    void kill() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    void startAgain() {
        try {
            process = start();
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            stop();
        }
        http.close();
        // The kernel gives up the loop device of a filesystem inside a moment after that one was unmounted.
        Eventually.assertThat(() -> Workspace.run("umount", data().toString()));
    }
}
