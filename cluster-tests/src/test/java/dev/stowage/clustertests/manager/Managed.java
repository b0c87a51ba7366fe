package dev.stowage.clustertests.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.process.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** A CSIDriverDeployment in a cluster, and what is told of it. */
record Managed(Cluster cluster, String namespace, String name) {

    static final Duration PATIENCE = Duration.ofMinutes(4);

    String kubectl(String... arguments) {
        var all = new ArrayList<>(List.of("--namespace=" + namespace));
        all.addAll(List.of(arguments));
        return cluster.kubectl().tryTo(all, "").orThrow();
    }

    String object() {
        return "csidriverdeployment/" + name;
    }

    /** @param path in kubectl's JSONPath, below the object */
    String field(String path) {
        return kubectl("get", object(), "--output=jsonpath={" + path + "}");
    }

    String condition(String type, String field) {
        return field(".status.conditions[?(@.type==\"%s\")].%s".formatted(type, field));
    }

    /** The objects that were made for it, as kubectl names them. */
    List<String> children() {
        return Stream.of(kubectl(
                                "get",
                                object(),
                                "--output=go-template={{range .status.children}}{{.resource}}.{{.group}}/{{.name}}{{\"\\n\"}}{{end}}")
                        .split("\n"))
                .map(child -> child.replace("./", "/"))
                .toList();
    }

    /** Tells an object from a later one of the same name; empty if there is none. */
    String identity(String object) {
        return kubectl("get", object, "--ignore-not-found", "--output=jsonpath={.metadata.uid}");
    }

    /** What Events of a reason say. */
    String events(String reason) {
        return kubectl("get", "events", "--field-selector=reason=" + reason, "--output=jsonpath={.items[*].message}");
    }

    void await(String what, BooleanSupplier condition) {
        assertThat(Waiting.until(PATIENCE, condition::getAsBoolean))
                .as(() -> what + "\n" + kubectl("get", object(), "--output=yaml") + kubectl("describe", "pods"))
                .isTrue();
    }

    /** Everything runs, and nothing is on its way. */
    void awaitAvailable() {
        await(
                name + " is available",
                () -> condition("Available", "status").equals("True")
                        && condition("Progressing", "status").equals("False"));
    }

    /** The containers of the controller beside the driver. */
    List<String> sidecars() {
        return List.of(kubectl(
                        "get",
                        "deployment",
                        name + "-controller",
                        "--output=jsonpath={.spec.template.spec.containers[1:].name}")
                .split(" "));
    }

    /** Ends all pods that were made for it. The next ones come by themselves. */
    void deletePods() {
        kubectl(
                "delete",
                "pods",
                "--selector=csidriver.storage.openshift.io/owner-name=" + name,
                "--grace-period=1",
                "--timeout=180s");
    }

    void delete() {
        kubectl("delete", object(), "--ignore-not-found", "--timeout=120s");
    }
}
