package dev.stowage.clustertests.claim;

import dev.stowage.clustertests.image.ImageUnderTest;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.process.Programs;
import dev.stowage.workbench.process.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** An array of our own beside the cluster, which its nodes reach over the cluster's network. */
public final class ArrayOnHost implements AutoCloseable {

    public static final String TOKEN = "token-of-the-array";
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final Path directory;
    private final Process process;
    private final String address;
    private final HttpClient http = HttpClient.newHttpClient();

    public ArrayOnHost(Cluster cluster, String name) {
        try {
            directory = Files.createTempDirectory("stowage-" + name).toRealPath();
            var data = Files.createDirectory(directory.resolve("data"));
            var image = directory.resolve("image").toString();
            run("truncate", "--size=8G", image);
            run("mkfs.xfs", "-q", image);
            run("mount", "-o", "loop", image, data.toString());
            var token = Files.writeString(directory.resolve("token"), TOKEN);
            var host = InetAddress.getByName(cluster.host());
            address = cluster.host() + ":" + freePort(host);
            var builder = new ProcessBuilder(
                            ImageUnderTest.home().resolve("stowage").toString(),
                            "array",
                            "--listen",
                            address,
                            "--data",
                            data.toString(),
                            "--token-file",
                            token.toString(),
                            "--portal",
                            cluster.host() + ":" + freePort(host),
                            "--name",
                            name,
                            "--no-recycle-bin",
                            "--misbehave",
                            "")
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("log").toFile());
            builder.environment().put("STOWAGE_NO_BUILD", "1");
            process = builder.start();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        if (!Waiting.until(LIMIT, () -> !process.isAlive() || answers()) || !process.isAlive()) {
            throw new AssertionError("the array does not answer: " + log());
        }
    }

    private static int freePort(InetAddress host) throws IOException {
        try (var socket = new ServerSocket(0, 1, host)) {
            return socket.getLocalPort();
        }
    }

    private static void run(String... command) {
        Programs.run(LIMIT, List.of(command), Map.of(), "").orThrow();
    }

    private boolean answers() {
        try {
            return get("/api/pools.json").contains("\"status\":0");
        } catch (UncheckedIOException notYet) {
            return false;
        }
    }

    /** What the API says to a question, as text. */
    public String get(String path) {
        return send(request(path)).replace(" ", "");
    }

    /** Which rules it goes wrong by from now on. */
    void misbehave(String rules) {
        var _ = send(request("/misbehave").PUT(HttpRequest.BodyPublishers.ofString(rules)));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://" + address + path)).header("X-Access-Key", TOKEN);
    }

    private String send(HttpRequest.Builder request) {
        try {
            var answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IOException("the array says %d: %s".formatted(answer.statusCode(), answer.body()));
            }
            return answer.body();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    public String address() {
        return address;
    }

    /** What the array has at the beginning of a volume. */
    String start(String volume, int length) {
        try (var stream = Files.newInputStream(file(volume))) {
            return new String(stream.readNBytes(length), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Where the array keeps the data of a volume. */
    Path file(String volume) {
        return directory.resolve("data/volumes").resolve(volume);
    }

    String log() {
        try {
            return Files.readString(directory.resolve("log"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        http.close();
        var data = directory.resolve("data").toString();
        Waiting.until(
                LIMIT,
                () -> Programs.run(LIMIT, List.of("umount", data), Map.of(), "").exitCode() == 0);
        run("rm", "-r", directory.toString());
    }
}
