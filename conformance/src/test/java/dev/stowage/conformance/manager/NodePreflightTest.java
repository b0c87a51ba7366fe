package dev.stowage.conformance.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.cluster.ControlPlane;
import dev.stowage.conformance.harness.Workspace;
import dev.stowage.conformance.pool.Eventually;
import dev.stowage.conformance.sidecar.RunningSidecar;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Condition;
import dev.stowage.kube.csidriver.CsiDriverDeployment.NodeStatus;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a node has for drivers: from its registrar, through the API server, into the status. Nobody runs pods here but the test. */
class NodePreflightTest {

    private static final String NAMESPACE = "drivers";
    private static final String MANIFEST = """
            apiVersion: csidriver.storage.openshift.io/v1alpha1
            kind: CSIDriverDeployment
            metadata: {name: one, namespace: drivers}
            spec:
              driverName: one.example.com
              driverSocket: /run/csi/csi.sock
              driverPerNodeTemplate:
                spec:
                  containers:
                  - {name: csi-driver, image: "driver:1", securityContext: {privileged: true}}
            """;

    private final Workspace workspace = Workspace.create();
    private final ControlPlane plane = ControlPlane.start(workspace.directory("plane"));
    private final RunningManager manager = new RunningManager(workspace, plane, "manager");
    private final Path proc = workspace.directory("proc");

    @AfterEach
    void stop() {
        manager.close();
        plane.close();
        workspace.close();
    }

    private KubernetesClient client() {
        return plane.client();
    }

    private Resource<CsiDriverDeployment> deployment() {
        return client().resources(CsiDriverDeployment.class)
                .inNamespace(NAMESPACE)
                .withName("one");
    }

    @BeforeEach
    void makeADeployment() throws IOException {
        client().resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
        client().resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName("default")
                        .endMetadata()
                        .build())
                .create();
        client().load(new ByteArrayInputStream(MANIFEST.getBytes(StandardCharsets.UTF_8)))
                .create();
        Files.createDirectory(proc.resolve("1"));
        Files.writeString(proc.resolve("1/mountinfo"), "27 1 254:0 / / rw shared:1 - ext4 /dev/vda rw\n");
        process("iscsid");
    }

    private void process(String name) throws IOException {
        Files.writeString(proc.resolve("1/comm"), name + "\n");
        Files.writeString(proc.resolve("1/stat"), "1 (" + name + ") S 0\n");
    }

    private PodResource makePod(String name, String... arguments) {
        var pod = client().resource(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName(name)
                        .addToLabels(CsiDriverDeployment.OWNER_NAMESPACE, NAMESPACE)
                        .addToLabels(CsiDriverDeployment.OWNER_NAME, "one")
                        .addToLabels(CsiDriverDeployment.DAEMON_SET, "one-node")
                        .endMetadata()
                        .withNewSpec()
                        .withNodeName("node-of-" + name)
                        .withAutomountServiceAccountToken(false)
                        .addNewContainer()
                        .withName("csi-driver")
                        .withImage("driver:1")
                        .endContainer()
                        .addNewContainer()
                        .withName("csi-driver-registrar")
                        .withImage("registrar:1")
                        .withArgs(arguments)
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
        return client().pods().inNamespace(NAMESPACE).withName(pod.getMetadata().getName());
    }

    private static void runs(Resource<Pod> pod, String container) throws IOException {
        String address = PodAddress.ofThisMachine();
        pod.editStatus(found -> new PodBuilder(found)
                .withNewStatus()
                .withPhase("Running")
                .withPodIP(address)
                .addNewPodIP(address)
                .addNewContainerStatus()
                .withName("csi-driver-registrar")
                .withContainerID(container)
                .withImage("registrar:1")
                .withImageID("registrar:1")
                .withReady(true)
                .withRestartCount(0)
                .withNewState()
                .withNewRunning()
                .endRunning()
                .endState()
                .endContainerStatus()
                .endStatus()
                .build());
    }

    private Condition condition(String pod, String type) {
        var nodes = deployment().get().getStatus().nodes();
        return Objects.requireNonNullElse(nodes, List.<NodeStatus>of()).stream()
                .filter(node -> node.name().equals("node-of-" + pod))
                .flatMap(node -> Objects.requireNonNull(node.conditions()).stream())
                .filter(each -> each.type().equals(type))
                .findFirst()
                .orElseThrow(() -> new AssertionError("there is no condition " + type + " yet"));
    }

    @Test
    void whatARegistrarFindsIsInTheStatusAndIsWrittenOnlyWhenItIsAnother() throws IOException {
        try (var registrar = RunningSidecar.start(
                workspace,
                "registrar",
                "registrar",
                "--csi-address=" + workspace.root().resolve("none.sock"),
                "--kubelet-registration-path=/none",
                "--http-endpoint=:0",
                "--host-proc=" + proc)) {
            Eventually.assertThat(() -> assertThat(registrar.port()).isPositive());
            var pod = makePod("ours", "--http-endpoint=:" + registrar.port(), "--host-proc=/host/proc");
            runs(pod, "containerd://1");
            runs(makePod("foreign", "--http-endpoint=:" + registrar.port()), "containerd://2");

            Eventually.assertThat(() -> {
                assertThat(condition("ours", "Iscsid").status()).isEqualTo("True");
                assertThat(condition("ours", "Multipath").status()).isEqualTo("False");
                assertThat(condition("ours", "KubeletDirectory").status()).isEqualTo("True");
                assertThat(condition("foreign", "Iscsid").status()).isEqualTo("Unknown");
            });

            var before = condition("ours", "KubeletDirectory");
            var writes = new AtomicInteger();
            try (var _ = deployment().watch(new Writes(writes))) {
                for (int number = 0; number < 5; number++) {
                    String value = "value-" + number;
                    pod.edit(found -> new PodBuilder(found)
                            .editMetadata()
                            .addToAnnotations("example.com/touched", value)
                            .endMetadata()
                            .build());
                }
                process("multipathd");
                runs(pod, "containerd://3");
                Eventually.assertThat(() -> {
                    assertThat(condition("ours", "Iscsid").status()).isEqualTo("False");
                    assertThat(condition("ours", "Multipath").status()).isEqualTo("True");
                });
                Eventually.assertThat(() -> assertThat(writes).hasPositiveValue());
                assertThat(writes).hasValue(1);
            }
            assertThat(condition("ours", "KubeletDirectory")).isEqualTo(before);
        }
    }

    /** Counts what happens to the deployment after the watch began. */
    private record Writes(AtomicInteger count) implements Watcher<CsiDriverDeployment> {
        @Override
        public void eventReceived(Action action, CsiDriverDeployment now) {
            if (action == Action.MODIFIED) {
                count.incrementAndGet();
            }
        }

        @Override
        public void onClose(WatcherException failed) {
            throw new IllegalStateException("the watch ended", failed);
        }
    }
}
