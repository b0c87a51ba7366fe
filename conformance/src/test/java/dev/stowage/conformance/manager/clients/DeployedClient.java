package dev.stowage.conformance.manager.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Condition;
import dev.stowage.kube.weka.WekaClient;
import dev.stowage.kube.weka.WekaContainer;
import dev.stowage.kube.weka.WekaResources;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A client in a namespace of its own, with nodes and a driver of its own, and what has become of it. */
final class DeployedClient {

    static final String NAME = "client";
    /** The label by which nodes are selected. */
    static final String POOL = "pool";

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private static final String MANIFEST = """
            apiVersion: weka.weka.io/v1alpha1
            kind: WekaClient
            metadata: {name: client, namespace: %1$s}
            spec:
              image: client:1
              port: 14000
              agentPort: 14500
              joinIpPorts: ["%1$s.example.com:14000"]
              nodeSelector: {pool: %1$s}
              csiGroup: %1$s
            """;

    private final ClientsPlane plane;
    private final String namespace = "clients-" + NUMBER.incrementAndGet();
    private final List<String> nodes = new ArrayList<>();

    private DeployedClient(ClientsPlane plane) {
        this.plane = plane;
    }

    /** Nodes for a client that does not exist yet. */
    static DeployedClient nothing(ClientsPlane plane, int nodes) {
        var deployed = new DeployedClient(plane);
        plane.makeNamespace(deployed.namespace);
        for (int number = 0; number < nodes; number++) {
            deployed.addNode();
        }
        return deployed;
    }

    /** A client that runs, with its driver, on so many nodes. */
    static DeployedClient whole(ClientsPlane plane, int nodes) {
        return nothing(plane, nodes).apply(spec -> {}).awaitWhole();
    }

    String addNode() {
        return addNode(namespace + "-node-" + (nodes.size() + 1));
    }

    String addNode(String name) {
        plane.nodes().make(name, Map.of(POOL, namespace));
        nodes.add(name);
        return name;
    }

    /** @param change of the manifest's spec */
    DeployedClient apply(Consumer<Map<String, Object>> change) {
        var text = MANIFEST.formatted(namespace);
        var object = (GenericKubernetesResource) plane.client()
                .load(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
                .items()
                .getFirst();
        change.accept(spec(object));
        plane.client().resource(object).create();
        return this;
    }

    /** Changes the spec as a user would, by its text. */
    DeployedClient edit(Consumer<Map<String, Object>> change) {
        // The manager writes it, too, and then this comes too late.
        Eventually.assertThat(() -> plane.client()
                .genericKubernetesResources("weka.weka.io/v1alpha1", "WekaClient")
                .inNamespace(namespace)
                .withName(NAME)
                .edit(found -> {
                    change.accept(spec(found));
                    return found;
                }));
        return this;
    }

    @SuppressWarnings("unchecked") // a spec is a map
    private static Map<String, Object> spec(GenericKubernetesResource object) {
        return (Map<String, Object>) Objects.requireNonNull(object.get("spec"));
    }

    DeployedClient awaitDeployed() {
        Eventually.assertThat(() -> {
            // All that is told at one time.
            var now = resource().get();
            var deployed = find(now.getStatus().conditions(), "CsiDeployed").orElseThrow();
            assertThat(deployed.status()).as(deployed.message()).isEqualTo("True");
            assertThat(now.getStatus().csiDeployed()).isTrue();
            assertThat(now.getStatus().observedGeneration())
                    .isEqualTo(now.getMetadata().getGeneration());
        });
        return this;
    }

    /** Deployed, and ready on every node that there is. */
    DeployedClient awaitWhole() {
        awaitDeployed();
        Eventually.assertThat(() -> {
            assertThat(containers())
                    .extracting(container -> container.getSpec().nodeAffinity())
                    .containsExactlyInAnyOrderElementsOf(nodes);
            assertThat(containers())
                    .allSatisfy(container ->
                            assertThat(container.getStatus().status()).isEqualTo("Running"));
            assertThat(csi().nodeServers()).hasSize(nodes.size()).allMatch(Pods::ready);
            assertThat(containers())
                    .allSatisfy(container ->
                            assertThat(condition(container, "CsiNodeServer")).isEqualTo("True"));
            assertThat(status().status()).isEqualTo("Running");
        });
        return this;
    }

    String namespace() {
        return namespace;
    }

    /** A node by its number; the first is 1. */
    String node(int number) {
        return nodes.get(number - 1);
    }

    String driverName() {
        return "csi." + namespace + ".weka.io";
    }

    CsiObjects csi() {
        return plane.csi(driverName());
    }

    Resource<WekaClient> resource() {
        return plane.client().resources(WekaClient.class).inNamespace(namespace).withName(NAME);
    }

    WekaClient.Status status() {
        return resource().get().getStatus();
    }

    List<WekaContainer> containers() {
        return plane.client()
                .resources(WekaContainer.class)
                .inNamespace(namespace)
                .list()
                .getItems();
    }

    Optional<WekaContainer> container(String node) {
        return containers().stream()
                .filter(container -> node.equals(container.getSpec().nodeAffinity()))
                .findFirst();
    }

    private String containerName(String node) {
        return NAME + "-" + node;
    }

    /** The pod of the container on a node. */
    PodResource pod(String node) {
        return plane.client().pods().inNamespace(namespace).withName(containerName(node));
    }

    /** Of all its containers. */
    List<Pod> clientPods() {
        return plane.client()
                .pods()
                .inNamespace(namespace)
                .withLabel(WekaResources.MODE, WekaResources.MODE_CLIENT)
                .list()
                .getItems();
    }

    PodResource nodeServer(String node) {
        return plane.client()
                .pods()
                .inNamespace(ClientsPlane.CSI_NAMESPACE)
                .withName(containerName(node) + "-csi-node");
    }

    /** The value of a condition. */
    String condition(String type) {
        return find(status().conditions(), type).map(Condition::status).orElse("");
    }

    String reason(String type) {
        return find(status().conditions(), type).map(Condition::reason).orElse("");
    }

    String message(String type) {
        return find(status().conditions(), type).map(Condition::message).orElse("");
    }

    static String condition(WekaContainer container, String type) {
        return find(container.getStatus().conditions(), type)
                .map(Condition::status)
                .orElse("");
    }

    static String message(WekaContainer container, String type) {
        return find(container.getStatus().conditions(), type)
                .map(Condition::message)
                .orElse("");
    }

    static String reason(WekaContainer container, String type) {
        return find(container.getStatus().conditions(), type)
                .map(Condition::reason)
                .orElse("");
    }

    private static Optional<Condition> find(@Nullable List<Condition> conditions, String type) {
        return Objects.requireNonNullElse(conditions, List.<Condition>of()).stream()
                .filter(condition -> condition.type().equals(type))
                .findFirst();
    }

    /** Why the driver is not there, as soon as it is told. */
    DeployedClient awaitRefusal(String reason) {
        Eventually.assertThat(() -> {
            var now = status();
            var deployed = find(now.conditions(), "CsiDeployed").orElseThrow();
            assertThat(deployed.reason()).as(deployed.message()).isEqualTo(reason);
            assertThat(deployed.status()).isEqualTo("False");
            assertThat(Boolean.TRUE.equals(now.csiDeployed())).isFalse();
        });
        return this;
    }

    List<Event> events(String reason) {
        return plane.client().v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> event.getReason().equals(reason))
                .toList();
    }

    void delete() {
        resource().delete();
        Eventually.assertThat(() -> assertThat(resource().get()).isNull());
    }
}
