package dev.stowage.cli.bench.arrays;

import dev.stowage.cli.bench.Workspace;
import dev.stowage.kube.KubernetesClients;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A real etcd and a real API server, with the definitions that the chart installs. */
record ControlPlane(Part etcd, Part apiServer, Path kubeconfig, KubernetesClient client) {

    private static final Duration START = Duration.ofSeconds(120);
    private static final String TOKEN = "bench";

    /** @param data where etcd keeps its data */
    static ControlPlane start(Workspace workspace, Path data, Path definitions)
            throws IOException, InterruptedException {
        Path home = Files.createDirectories(workspace.directory().resolve("plane"));
        String etcdAddress = "http://127.0.0.1:" + Ports.free();
        String peers = "http://127.0.0.1:" + Ports.free();
        int port = Ports.free();
        var etcd = Part.start(
                workspace,
                "etcd",
                List.of(
                        Environment.required("STOWAGE_ETCD"),
                        "--data-dir=" + data,
                        "--listen-client-urls=" + etcdAddress,
                        "--advertise-client-urls=" + etcdAddress,
                        "--listen-peer-urls=" + peers,
                        "--initial-advertise-peer-urls=" + peers,
                        "--initial-cluster=default=" + peers));
        Path tokens = Files.writeString(home.resolve("tokens.csv"), TOKEN + ",admin,1,system:masters\n");
        Path key = writeKey(home.resolve("accounts.key"));
        Path certificates = home.resolve("certificates");
        var apiServer = Part.start(
                workspace,
                "kube-apiserver",
                List.of(
                        Environment.required("STOWAGE_KUBE_APISERVER"),
                        "--etcd-servers=" + etcdAddress,
                        "--secure-port=" + port,
                        "--bind-address=127.0.0.1",
                        "--advertise-address=127.0.0.1",
                        "--cert-dir=" + certificates,
                        "--token-auth-file=" + tokens,
                        "--authorization-mode=RBAC",
                        "--service-account-issuer=https://bench",
                        "--service-account-key-file=" + key,
                        "--service-account-signing-key-file=" + key,
                        "--service-cluster-ip-range=10.251.0.0/24"));
        Path authority = certificates.resolve("apiserver.crt");
        apiServer.await(START, () -> Files.exists(authority));
        Path kubeconfig = Files.writeString(home.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: c, cluster: {server: "https://127.0.0.1:%d", certificate-authority: "%s"}}]
                users: [{name: u, user: {token: %s}}]
                contexts: [{name: x, context: {cluster: c, user: u, namespace: default}}]
                current-context: x
                """.formatted(port, authority, TOKEN));
        var client = KubernetesClients.connect(Optional.of(kubeconfig), "stowage-bench", Duration.ofSeconds(30), 3);
        var plane = new ControlPlane(etcd, apiServer, kubeconfig, client);
        apiServer.await(START, plane::answers);
        plane.define(definitions);
        return plane;
    }

    private boolean answers() {
        try {
            return "ok".equals(client.raw("/readyz"));
        } catch (KubernetesClientException notYet) {
            return false;
        }
    }

    private void define(Path definitions) throws IOException {
        List<Path> files;
        try (var found = Files.walk(definitions)) {
            files = found.filter(Files::isRegularFile).sorted().toList();
        }
        for (Path file : files) {
            try (var content = Files.newInputStream(file)) {
                client.load(content).create();
            }
        }
        for (Path file : files) {
            client.apiextensions()
                    .v1()
                    .customResourceDefinitions()
                    .withName(file.getFileName().toString().replaceFirst("\\.yaml$", ""))
                    .waitUntilCondition(ControlPlane::isEstablished, START.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private static boolean isEstablished(CustomResourceDefinition definition) {
        return definition != null
                && definition.getStatus() != null
                && definition.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Established")
                                && condition.getStatus().equals("True"));
    }

    private static Path writeKey(Path file) throws IOException {
        try {
            var generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            String key = Base64.getMimeEncoder(64, new byte[] {'\n'})
                    .encodeToString(generator.generateKeyPair().getPrivate().getEncoded());
            return Files.writeString(file, "-----BEGIN PRIVATE KEY-----\n" + key + "\n-----END PRIVATE KEY-----\n");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
