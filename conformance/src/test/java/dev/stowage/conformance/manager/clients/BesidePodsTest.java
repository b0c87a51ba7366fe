package dev.stowage.conformance.manager.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.manager.Lasting;
import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.kube.csidriver.CsiDriverDeployment.NodeStatus;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A CSIDriverDeployment that follows the pods of a client has its driver beside them, as a WekaClient has. */
class BesidePodsTest {

    private static final String NAME = "driver";
    private static final String OLD = "driver:1";
    private static final String NEW = "driver:2";
    private static final String BAD = PlayedKubelet.BROKEN + ":2";

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private static final String MANIFEST = """
            apiVersion: csidriver.storage.openshift.io/v1alpha1
            kind: CSIDriverDeployment
            metadata: {name: driver, namespace: %1$s}
            spec:
              driverName: %1$s.example.com
              driverSocket: /run/csi/csi.sock
              driverPerNodeTemplate:
                spec:
                  containers:
                  - {name: csi-driver, image: "driver:1", securityContext: {privileged: true}}
              besidePods:
                selector: {matchLabels: {app: client}}
            """;

    @RegisterExtension
    static final Lasting<ClientsPlane> PLANE = ClientsPlane.shared();

    private final String namespace = "beside-" + NUMBER.incrementAndGet();

    private static KubernetesClient client() {
        return PLANE.get().client();
    }

    private String node(int number) {
        return namespace + "-node-" + number;
    }

    /** With a client on so many nodes. */
    private void deploy(int nodes) {
        PLANE.get().makeNamespace(namespace);
        for (int number = 1; number <= nodes; number++) {
            PLANE.get().nodes().make(node(number), Map.of());
            client().resource(clientPod(node(number))).create();
        }
        client().resource(client().getKubernetesSerialization()
                        .unmarshal(MANIFEST.formatted(namespace), GenericKubernetesResource.class))
                .create();
    }

    private Pod clientPod(String node) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("client-on-" + node)
                .addToLabels("app", "client")
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .withContainers(new ContainerBuilder()
                        .withName("client")
                        .withImage("client:1")
                        .build())
                .endSpec()
                .build();
    }

    private CsiDriverDeployment deployment() {
        return client().resources(CsiDriverDeployment.class)
                .inNamespace(namespace)
                .withName(NAME)
                .get();
    }

    private void change(String image) {
        change(Map.of("name", "csi-driver", "image", image, "securityContext", Map.of("privileged", true)));
    }

    private void change(Map<String, Object> container) {
        Eventually.assertThat(() -> client().genericKubernetesResources(
                        "csidriver.storage.openshift.io/v1alpha1", "CSIDriverDeployment")
                .inNamespace(namespace)
                .withName(NAME)
                .edit(found -> {
                    Map<String, Object> spec = found.get("spec");
                    Objects.requireNonNull(spec)
                            .put("driverPerNodeTemplate", Map.of("spec", Map.of("containers", List.of(container))));
                    return found;
                }));
    }

    private List<Pod> servers() {
        return client().pods()
                .inNamespace(namespace)
                .withLabel(CsiDriverDeployment.OWNER_NAME, NAME)
                .list()
                .getItems();
    }

    private void awaitImages(String... images) {
        Eventually.assertThat(
                () -> assertThat(servers()).extracting(Pods::image).containsExactlyInAnyOrder(images));
    }

    private void awaitReady(int nodes) {
        Eventually.assertThat(() -> assertThat(servers()).hasSize(nodes).allMatch(Pods::ready));
    }

    /** Another client is made whole meanwhile, so the manager had the time. */
    private static void giveTheManagerTime() {
        DeployedClient.whole(PLANE.get(), 1);
    }

    @Test
    void aTemplateThatDoesNotWorkIsBroughtToOneNodeAndOneThatWorksToAll() {
        deploy(3);
        awaitReady(3);

        change(BAD);
        awaitImages(BAD, OLD, OLD);
        giveTheManagerTime();
        awaitImages(BAD, OLD, OLD);
        Eventually.assertThat(() -> {
            var nodes = Objects.requireNonNull(deployment().getStatus().nodes());
            assertThat(nodes).extracting(NodeStatus::current).containsExactlyInAnyOrder(true, false, false);
            assertThat(nodes)
                    .filteredOn(node -> !node.current())
                    .extracting(NodeStatus::message)
                    .as("nobody has to be drained")
                    .containsOnlyNulls();
        });

        change(NEW);
        awaitImages(NEW, NEW, NEW);
        awaitReady(3);
    }

    @Test
    void noPodEndsForOneThatTheApiServerWouldNotTake() {
        deploy(3);
        awaitReady(3);
        var before = CsiObjects.versions(servers());

        change(Map.of(
                "name",
                "csi-driver",
                "image",
                NEW,
                "securityContext",
                Map.of("privileged", true),
                "volumeMounts",
                List.of(Map.of("name", "nowhere", "mountPath", "/data"))));

        Eventually.assertThat(() -> assertThat(deployment().getStatus().conditions())
                .filteredOn(condition -> condition.type().equals("SyncSuccessful"))
                .singleElement()
                .satisfies(condition -> {
                    assertThat(condition.status()).isEqualTo("False");
                    assertThat(condition.message()).contains("nowhere", "stays as it was");
                }));
        giveTheManagerTime();
        assertThat(CsiObjects.versions(servers())).isEqualTo(before);

        change(NEW);
        awaitImages(NEW, NEW, NEW);
        awaitReady(3);
    }

    @Test
    void nobodyWaitsForANodeThatIsNotReady() {
        deploy(3);
        awaitReady(3);
        var lost = servers().stream()
                .filter(pod -> Pods.node(pod).equals(node(2)))
                .findFirst()
                .orElseThrow();
        PLANE.get().nodes().failing(node(2));
        PLANE.get().kubelet().hurt(lost.getMetadata().getName());
        PLANE.get().kubelet().delay(lost.getMetadata().getName());

        change(NEW);

        Eventually.assertThat(() -> assertThat(servers())
                .filteredOn(pod -> !Pods.node(pod).equals(node(2)))
                .hasSize(2)
                .allMatch(Pods::ready)
                .extracting(Pods::image)
                .containsOnly(NEW));
        PLANE.get().kubelet().heal(lost.getMetadata().getName());
        PLANE.get().kubelet().hurry(lost.getMetadata().getName());
    }

    @Test
    void aPodThatSomebodyChangesIsMadeAnewAndTold() {
        deploy(1);
        awaitReady(1);
        var server = client().resource(servers().getFirst());
        String before = server.get().getMetadata().getUid();

        server.edit(found -> {
            found.getSpec().getContainers().getFirst().setImage("other:1");
            return found;
        });

        Eventually.assertThat(() -> {
            assertThat(server.get().getMetadata().getUid()).isNotEqualTo(before);
            assertThat(Pods.image(server.get())).isEqualTo(OLD);
            assertThat(deployment().getStatus().drift()).isNotNull().satisfies(drift -> {
                assertThat(drift.restored()).isEqualTo(1);
                assertThat(drift.changes())
                        .containsExactly("spec.containers[csi-driver].image is other:1 instead of driver:1");
            });
        });
        assertThat(client().v1().events().inNamespace(namespace).list().getItems())
                .filteredOn(event -> event.getReason().equals("Restored"))
                .extracting(Event::getMessage)
                .singleElement()
                .asString()
                .contains("other:1 instead of driver:1")
                .containsPattern("was changed by \\S+ at ");
    }
}
