package dev.stowage.conformance.cluster;

import dev.stowage.conformance.harness.Spawning;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A real etcd and a real API server, with the definitions that the chart installs. */
public final class ControlPlane implements AutoCloseable {

    private static final String TOKEN = "conformance";
    private static final Duration START = Duration.ofSeconds(120);

    private final Path directory;
    private final int etcdPort;
    private final int etcdPeerPort;
    private final int port;
    private final Process etcd;
    private Process apiServer;
    private final Path kubeconfig;
    private final KubernetesClient client;

    private ControlPlane(Path directory) throws IOException {
        this.directory = Files.createDirectories(directory);
        this.etcdPort = freePort();
        this.etcdPeerPort = freePort();
        this.port = freePort();
        this.etcd = startEtcd();
        this.apiServer = startApiServer();
        this.kubeconfig = Files.writeString(directory.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: c, cluster: {server: "https://127.0.0.1:%d", insecure-skip-tls-verify: true}}]
                users: [{name: u, user: {token: %s}}]
                contexts: [{name: x, context: {cluster: c, user: u, namespace: default}}]
                current-context: x
                """.formatted(port, TOKEN));
        this.client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(kubeconfig.toFile()))
                .build();
    }

    public static ControlPlane start(Path directory) {
        try {
            var plane = new ControlPlane(directory);
            try {
                plane.awaitReady();
                plane.installDefinitions();
            } catch (RuntimeException | IOException failed) {
                plane.close();
                throw failed;
            }
            return plane;
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static String tool(String variable) {
        String program = System.getenv(variable);
        if (program == null || !Files.isExecutable(Path.of(program))) {
            throw new IllegalStateException(
                    variable + " must name a program, and is " + program + "; ./stowage test sets it");
        }
        return program;
    }

    private Process startEtcd() throws IOException {
        String url = "http://127.0.0.1:" + etcdPort;
        String peer = "http://127.0.0.1:" + etcdPeerPort;
        return start(
                "etcd",
                List.of(
                        tool("STOWAGE_ETCD"),
                        "--data-dir",
                        directory.resolve("etcd").toString(),
                        "--unsafe-no-fsync",
                        "--listen-client-urls",
                        url,
                        "--advertise-client-urls",
                        url,
                        "--listen-peer-urls",
                        peer,
                        "--initial-advertise-peer-urls",
                        peer,
                        "--initial-cluster",
                        "default=" + peer));
    }

    private Process startApiServer() throws IOException {
        Path tokens = Files.writeString(directory.resolve("tokens.csv"), TOKEN + ",admin,1,system:masters\n");
        Path key = directory.resolve("service-accounts.key");
        if (!Files.exists(key)) {
            run("openssl", "genrsa", "-out", key.toString(), "2048");
        }
        return start(
                "kube-apiserver",
                List.of(
                        tool("STOWAGE_KUBE_APISERVER"),
                        "--etcd-servers=http://127.0.0.1:" + etcdPort,
                        "--secure-port=" + port,
                        "--bind-address=127.0.0.1",
                        "--cert-dir=" + directory.resolve("certificates"),
                        "--token-auth-file=" + tokens,
                        "--authorization-mode=RBAC",
                        "--allow-privileged=true",
                        "--service-account-issuer=https://conformance",
                        "--service-account-key-file=" + key,
                        "--service-account-signing-key-file=" + key,
                        "--service-cluster-ip-range=10.251.0.0/24"));
    }

    private static void run(String... command) throws IOException {
        var process = new ProcessBuilder(command).inheritIO().start();
        try {
            if (process.waitFor() != 0) {
                throw new IllegalStateException(List.of(command) + " failed");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private Process start(String name, List<String> command) throws IOException {
        return Spawning.start(new ProcessBuilder(new ArrayList<>(command))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve(name + ".log").toFile())));
    }

    public void awaitReady() {
        long end = System.nanoTime() + START.toNanos();
        while (true) {
            try {
                if ("ok".equals(client.raw("/readyz"))) {
                    return;
                }
            } catch (KubernetesClientException notYet) {
                // It has just been started.
            }
            if (System.nanoTime() > end || !apiServer.isAlive() || !etcd.isAlive()) {
                throw new IllegalStateException("the API server does not answer; its log is in " + directory);
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private void installDefinitions() throws IOException {
        Path definitions = Path.of(System.getenv("STOWAGE_HOME"), "charts", "stowage", "files", "crds");
        List<Path> found;
        try (var files = Files.walk(definitions)) {
            found = files.filter(Files::isRegularFile).sorted().toList();
        }
        for (Path file : found) {
            try (var content = Files.newInputStream(file)) {
                client.load(content).create();
            }
        }
        for (Path file : found) {
            awaitDefinition(file.getFileName().toString().replaceFirst("\\.yaml$", ""));
        }
    }

    private void awaitDefinition(String name) {
        client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(name)
                .waitUntilCondition(
                        found -> found != null
                                && found.getStatus() != null
                                && found.getStatus().getConditions().stream()
                                        .anyMatch(
                                                condition -> condition.getType().equals("Established")
                                                        && condition.getStatus().equals("True")),
                        60,
                        TimeUnit.SECONDS);
    }

    public Path kubeconfig() {
        return kubeconfig;
    }

    public KubernetesClient client() {
        return client;
    }

    /** Ends the API server; etcd keeps what it knows. */
    public void stopApiServer() {
        end(apiServer);
    }

    public void startApiServerAgain() {
        try {
            apiServer = startApiServer();
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
        awaitReady();
    }

    private static void end(Process process) {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        client.close();
        end(apiServer);
        end(etcd);
    }
}
