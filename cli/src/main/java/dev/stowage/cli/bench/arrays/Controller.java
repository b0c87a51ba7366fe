package dev.stowage.cli.bench.arrays;

import dev.stowage.cli.bench.Memory;
import dev.stowage.cli.bench.Workspace;
import dev.stowage.cli.client.CsiClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/** The controller under test, started as anybody would start it. */
final class Controller {

    private static final Duration START = Duration.ofSeconds(90);
    private static final Pattern USED = Pattern.compile("total [0-9]+K, used ([0-9]+)K");

    private final Part process;
    private final CsiClient csi;
    private final URI metrics;
    private final HttpClient http = HttpClient.newHttpClient();

    private Controller(Part process, CsiClient csi, URI metrics) {
        this.process = process;
        this.csi = csi;
        this.metrics = metrics;
    }

    static Controller start(Workspace workspace, Path launcher, Path kubeconfig, ArraysPlan plan)
            throws IOException, InterruptedException {
        Path keys = Files.createDirectories(workspace.directory().resolve("keys"));
        Files.writeString(keys.resolve("GLOBAL_ENCRYPTION_KEY"), "0123456789abcdef0123456789abcdef");
        Path socket = workspace.directory().resolve("controller.sock");
        int port = Ports.free();
        var process = Part.start(
                workspace,
                "controller",
                List.of(
                        launcher.toString(),
                        "driver",
                        "--backend",
                        "vsc",
                        "--role",
                        "controller",
                        "--endpoint",
                        "unix://" + socket,
                        "--kubeconfig",
                        kubeconfig.toString(),
                        "--namespace",
                        "default",
                        "--http",
                        "127.0.0.1:" + port,
                        "--encryption-key-directory",
                        keys.toString(),
                        "--no-array-tls",
                        "--monitor-interval",
                        plan.interval().toMillis() + "ms",
                        "--array-timeout",
                        plan.timeout().toMillis() + "ms",
                        "--log-level",
                        "warn"));
        process.await(START, () -> Files.exists(socket));
        var csi = CsiClient.connect(socket);
        if (!csi.awaitReady(START, process::isAlive)) {
            throw new IOException("the controller did not become ready; its log ends with:\n" + process.lastWords());
        }
        return new Controller(process, csi, URI.create("http://127.0.0.1:" + port + "/metrics"));
    }

    CsiClient csi() {
        return csi;
    }

    Calls calls() throws IOException, InterruptedException {
        return Calls.parse(metrics());
    }

    /** Whether it asks an array again that it had left alone. */
    boolean asks(String array) throws IOException, InterruptedException {
        return metrics().contains("stowage_array_left_alone{array=\"" + array + "\"} 0.0");
    }

    private String metrics() throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString())
                .body();
    }

    Memory memory() throws IOException {
        return process.memory();
    }

    Duration processorTime() throws IOException {
        return process.processorTime();
    }

    /** Bytes of its heap that are in use, without what could be collected. */
    long liveHeap() throws IOException, InterruptedException {
        var _ = jcmd("GC.run");
        var used = USED.matcher(jcmd("GC.heap_info"));
        long bytes = 0;
        while (used.find()) {
            bytes += Long.parseLong(used.group(1)) << 10;
        }
        return bytes;
    }

    private String jcmd(String what) throws IOException, InterruptedException {
        var jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(process.pid()),
                        what)
                .redirectErrorStream(true)
                .start();
        String output = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (jcmd.waitFor() != 0) {
            throw new IOException("jcmd " + what + " of the controller failed: " + output);
        }
        return output;
    }

    void requireAlive() throws IOException {
        if (!process.isAlive()) {
            throw new IOException(
                    "the controller ended in the middle of the run; its log ends with:\n" + process.lastWords());
        }
    }

    void disconnect() {
        csi.close();
        http.shutdownNow();
    }
}
