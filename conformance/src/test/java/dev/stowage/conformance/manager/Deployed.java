package dev.stowage.conformance.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.storage.CSIDriver;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A deployment of a driver in a namespace of its own, and what has become of it. */
final class Deployed {

    static final String NAME = "csi-hostpath";

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private static final String MANIFEST = """
            apiVersion: csidriver.storage.openshift.io/v1alpha1
            kind: CSIDriverDeployment
            metadata: {name: csi-hostpath, namespace: %1$s}
            spec:
              driverName: %1$s.example.com
              driverSocket: /run/csi/csi.sock
              driverPerNodeTemplate:
                spec:
                  containers:
                  - {name: csi-driver, image: "driver:1", args: ["--endpoint=unix:///run/csi/csi.sock"], securityContext: {privileged: true}}
              driverControllerTemplate:
                spec:
                  containers:
                  - {name: csi-driver, image: "driver:1", args: ["--endpoint=unix:///run/csi/csi.sock"]}
              storageClassTemplates:
              - {metadata: {name: %1$s-one}, default: true}
              - {metadata: {name: %1$s-two}, parameters: {foo: baz}}
            """;

    private final KubernetesClient client;
    private final String namespace = "drivers-" + NUMBER.incrementAndGet();

    private Deployed(KubernetesClient client) {
        this.client = client;
    }

    /** A template for nodes that is like the one of the manifest, with another image. */
    static Map<String, Object> nodeTemplate(String image) {
        return Map.of(
                "spec",
                Map.of(
                        "containers",
                        List.of(Map.of(
                                "name", "csi-driver", "image", image, "securityContext", Map.of("privileged", true)))));
    }

    /** A namespace in which nothing is deployed yet. */
    static Deployed nothing(KubernetesClient client) {
        var deployed = new Deployed(client);
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(deployed.namespace)
                        .endMetadata()
                        .build())
                .create();
        return deployed;
    }

    static Deployed whole(KubernetesClient client) {
        return nothing(client).apply(spec -> {}).awaitSynced();
    }

    /** @param change of the manifest's spec */
    Deployed apply(Consumer<Map<String, Object>> change) {
        var text = MANIFEST.formatted(namespace);
        var object =
                (GenericKubernetesResource) client.load(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
                        .items()
                        .getFirst();
        change.accept(spec(object));
        client.resource(object).create();
        return this;
    }

    /** @param resource a manifest that says neither in which namespace it is to be, nor anything else that is changed here */
    Deployed applyFile(String resource) {
        client.load(Objects.requireNonNull(Deployed.class.getResourceAsStream(resource), resource))
                .inNamespace(namespace)
                .create();
        return this;
    }

    /** Changes the spec as a user would, by its text. */
    Deployed edit(Consumer<Map<String, Object>> change) {
        // The manager writes it, too, and then this comes too late.
        Eventually.assertThat(() -> client.genericKubernetesResources(
                        "csidriver.storage.openshift.io/v1alpha1", "CSIDriverDeployment")
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

    Deployed awaitSynced() {
        return awaitSynced(PATIENCE);
    }

    Deployed awaitSynced(Duration patience) {
        Eventually.assertThat(patience, () -> {
            assertThat(condition("SyncSuccessful")).isEqualTo("True");
            assertThat(status().observedGeneration())
                    .isEqualTo(resource().get().getMetadata().getGeneration());
        });
        return this;
    }

    String namespace() {
        return namespace;
    }

    Resource<CsiDriverDeployment> resource() {
        return client.resources(CsiDriverDeployment.class)
                .inNamespace(namespace)
                .withName(NAME);
    }

    CsiDriverDeployment.Status status() {
        return resource().get().getStatus();
    }

    /** The value of a condition. */
    String condition(String type) {
        return find(type).map(CsiDriverDeployment.Condition::status).orElse("");
    }

    String message(String type) {
        return find(type).map(CsiDriverDeployment.Condition::message).orElse("");
    }

    private java.util.Optional<CsiDriverDeployment.Condition> find(String type) {
        return Objects.requireNonNullElse(status().conditions(), List.<CsiDriverDeployment.Condition>of()).stream()
                .filter(condition -> condition.type().equals(type))
                .findFirst();
    }

    Resource<DaemonSet> node() {
        return client.apps().daemonSets().inNamespace(namespace).withName(NAME + "-node");
    }

    Resource<Deployment> controller() {
        return client.apps().deployments().inNamespace(namespace).withName(NAME + "-controller");
    }

    Resource<StorageClass> storageClass(String suffix) {
        return client.storage().v1().storageClasses().withName(namespace + "-" + suffix);
    }

    Resource<CSIDriver> driver() {
        return client.storage().v1().csiDrivers().withName(driverName());
    }

    String driverName() {
        return namespace + ".example.com";
    }

    List<Event> events() {
        return client.v1().events().inNamespace(namespace).list().getItems();
    }
}
