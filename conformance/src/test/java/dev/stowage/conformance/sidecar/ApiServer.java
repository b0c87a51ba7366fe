package dev.stowage.conformance.sidecar;

import dev.stowage.kube.KubernetesClients;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A real etcd and a real kube-apiserver, started once for all tests that need them. */
final class ApiServer {

    private static final Duration START = Duration.ofSeconds(180);
    private static final String ADMIN = "admin";
    private static final String ATTACHER = "attacher";
    private static @Nullable ApiServer shared;

    private final Path home;
    private final List<Process> processes = new ArrayList<>();
    private final int port = freePort();
    private final KubernetesClient client;

    private ApiServer() throws IOException, NoSuchAlgorithmException {
        home = Files.createTempDirectory("stowage-api-");
        Runtime.getRuntime().addShutdownHook(new Thread(this::end));
        int etcd = freePort();
        int peers = freePort();
        String etcdAddress = "http://127.0.0.1:" + etcd;
        start(
                "etcd",
                RunningSidecar.environment("STOWAGE_ETCD"),
                "--data-dir=" + home.resolve("etcd"),
                "--unsafe-no-fsync",
                "--listen-client-urls=" + etcdAddress,
                "--advertise-client-urls=" + etcdAddress,
                "--listen-peer-urls=http://127.0.0.1:" + peers);
        Files.writeString(
                home.resolve("tokens.csv"),
                "admin-token,%s,1,\"system:masters\"\nattacher-token,%s,2,\n".formatted(ADMIN, ATTACHER));
        writeKey(home.resolve("accounts.key"));
        start(
                "apiserver",
                RunningSidecar.environment("STOWAGE_KUBE_APISERVER"),
                "--etcd-servers=" + etcdAddress,
                "--secure-port=" + port,
                "--bind-address=127.0.0.1",
                "--advertise-address=127.0.0.1",
                "--cert-dir=" + home.resolve("certificates"),
                "--service-account-key-file=" + home.resolve("accounts.key"),
                "--service-account-signing-key-file=" + home.resolve("accounts.key"),
                "--service-account-issuer=https://kubernetes.default",
                "--token-auth-file=" + home.resolve("tokens.csv"),
                "--authorization-mode=RBAC",
                "--disable-admission-plugins=ServiceAccount",
                "--service-cluster-ip-range=10.96.0.0/16");
        awaitReady();
        client = KubernetesClients.connect(
                Optional.of(kubeconfig(ADMIN)), "stowage-conformance", Duration.ofSeconds(30), 3);
        letTheAttacherWork();
    }

    static synchronized ApiServer shared() {
        if (shared == null) {
            try {
                shared = new ApiServer();
            } catch (IOException | NoSuchAlgorithmException failure) {
                throw new IllegalStateException(failure);
            }
        }
        return shared;
    }

    /** What the test does itself, it does as an administrator. */
    KubernetesClient client() {
        return client;
    }

    /** For an attacher, which may do no more than its documentation says it needs. */
    Path attacherKubeconfig() {
        return kubeconfig(ATTACHER);
    }

    private Path kubeconfig(String user) {
        Path file = home.resolve(user + ".kubeconfig");
        try {
            return Files.exists(file)
                    ? file
                    : Files.writeString(file, """
                            apiVersion: v1
                            kind: Config
                            current-context: test
                            clusters: [{name: test, cluster: {server: "https://127.0.0.1:%d", certificate-authority: "%s"}}]
                            contexts: [{name: test, context: {cluster: test, user: test}}]
                            users: [{name: test, user: {token: %s-token}}]
                            """.formatted(port, home.resolve("certificates/apiserver.crt"), user));
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private void letTheAttacherWork() {
        client.load(ApiServer.class.getResourceAsStream("/attacher-rbac.yaml")).serverSideApply();
        client.resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName("attacher-of-the-tests")
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "stowage-attacher")
                        .addNewSubject("rbac.authorization.k8s.io", "User", ATTACHER, null)
                        .build())
                .serverSideApply();
    }

    private void start(String name, String... command) throws IOException {
        processes.add(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(home.resolve(name + ".log").toFile())
                .start());
    }

    private void awaitReady() throws IOException {
        long deadline = System.nanoTime() + START.toNanos();
        Path certificate = home.resolve("certificates/apiserver.crt");
        while (true) {
            if (System.nanoTime() > deadline || processes.stream().anyMatch(process -> !process.isAlive())) {
                throw new IllegalStateException(
                        "the API server did not start:\n" + Files.readString(home.resolve("apiserver.log")));
            }
            if (Files.exists(certificate) && answers()) {
                return;
            }
            pause();
        }
    }

    private boolean answers() {
        try (var early = KubernetesClients.connect(
                Optional.of(kubeconfig(ADMIN)), "stowage-conformance", Duration.ofSeconds(5), 0)) {
            return "ok".equals(early.raw("/readyz"));
        } catch (KubernetesClientException notYet) {
            return false;
        }
    }

    private static void pause() {
        try {
            Thread.sleep(200);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private static int freePort() {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static void writeKey(Path file) throws IOException, NoSuchAlgorithmException {
        var generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        var key = Base64.getMimeEncoder(64, new byte[] {'\n'})
                .encodeToString(generator.generateKeyPair().getPrivate().getEncoded());
        Files.writeString(file, "-----BEGIN PRIVATE KEY-----\n" + key + "\n-----END PRIVATE KEY-----\n");
    }

    private void end() {
        processes.reversed().forEach(process -> {
            process.destroyForcibly();
            process.onExit().join();
        });
        try (var files = Files.walk(home)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException left) {
            System.err.println("cannot remove " + home + ": " + left);
        }
    }
}
