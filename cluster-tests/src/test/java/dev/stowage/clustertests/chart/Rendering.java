package dev.stowage.clustertests.chart;

import dev.stowage.workbench.cluster.Tools;
import dev.stowage.workbench.process.Programs;
import dev.stowage.workbench.process.Programs.Result;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** The chart's objects, for a cluster that serves certain versions of the API. */
record Rendering(List<HasMetadata> objects) {

    private static final String NAMESPACE = "somewhere";

    static Path chart() {
        return Path.of(Objects.requireNonNull(System.getenv("STOWAGE_HOME"), "STOWAGE_HOME"), "charts", "stowage");
    }

    static Result helm(List<String> arguments, String values) {
        var command = new ArrayList<>(List.of(Tools.fromEnvironment().program("helm")));
        command.addAll(arguments);
        return Programs.run(Duration.ofMinutes(1), command, Map.of("HOME", "/nonexistent"), values);
    }

    static Result tried(String values, String... served) {
        var arguments = new ArrayList<>(List.of(
                "template",
                "release",
                chart().toString(),
                "--namespace=" + NAMESPACE,
                "--kube-version=1.36.3",
                "--values=-"));
        Stream.of(served).map(version -> "--api-versions=" + version).forEach(arguments::add);
        return helm(arguments, values);
    }

    static Rendering of(String values, String... served) {
        var serialization = new KubernetesSerialization();
        var objects = Stream.of(tried(values, served).orThrow().split("(?m)^---$"))
                .filter(document -> document.contains("kind:"))
                .map(document -> (HasMetadata) serialization.unmarshal(document))
                .toList();
        return new Rendering(objects);
    }

    <T extends HasMetadata> Stream<T> all(Class<T> type) {
        return objects.stream().filter(type::isInstance).map(type::cast);
    }

    <T extends HasMetadata> T the(Class<T> type, String nameEnd) {
        return find(type, nameEnd).orElseThrow(() -> new AssertionError("no " + type.getSimpleName() + " …" + nameEnd));
    }

    <T extends HasMetadata> Optional<T> find(Class<T> type, String nameEnd) {
        return all(type)
                .filter(object -> object.getMetadata().getName().endsWith(nameEnd))
                .findFirst();
    }

    PodSpec controller() {
        return the(Deployment.class, "-controller").getSpec().getTemplate().getSpec();
    }

    PodSpec node() {
        return the(DaemonSet.class, "-node").getSpec().getTemplate().getSpec();
    }

    /** What an account may do, in the whole cluster and in its namespace. */
    Stream<PolicyRule> rules(String account) {
        return Stream.concat(
                the(ClusterRole.class, account).getRules().stream(),
                find(Role.class, account).stream().flatMap(role -> role.getRules().stream()));
    }

    static Container container(PodSpec pod, String name) {
        return pod.getContainers().stream()
                .filter(container -> container.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no container " + name));
    }

    static List<String> containers(PodSpec pod) {
        return pod.getContainers().stream().map(Container::getName).toList();
    }
}
