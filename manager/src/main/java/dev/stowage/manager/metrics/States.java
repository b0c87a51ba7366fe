package dev.stowage.manager.metrics;

import static dev.stowage.manager.metrics.EachOf.list;

import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.kube.csidriver.CsiDriverDeployment.NodeStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How the deployments are, as their statuses say. */
final class States {

    private static final String DEPLOYMENTS = "stowage_manager_deployments";

    private final List<CsiDriverDeployment> deployments;
    private final ToIntFunction<CsiDriverDeployment> nodes;

    /** @param nodes on how many nodes Kubernetes wants the pods of one, which its status does not say */
    States(List<CsiDriverDeployment> deployments, ToIntFunction<CsiDriverDeployment> nodes) {
        this.deployments = deployments;
        this.nodes = nodes;
    }

    void write(Page page) {
        byState(page);
        var each = new EachOf<>("stowage_manager_deployment", deployments);
        each.lines(
                page,
                "info",
                "The driver of a deployment, and the version that it told.",
                deployment -> Stream.of(new EachOf.Line(
                        1,
                        "driver",
                        text(deployment.getSpec().driverName()),
                        "version",
                        version(deployment.getStatus()))));
        each.conditions(
                page,
                "Conditions of deployments: 1 for the status that one has now.",
                deployment -> deployment.getStatus().conditions());
        each.gauge(
                page,
                "generation",
                "The generation of the deployment.",
                deployment -> number(deployment.getMetadata().getGeneration()));
        each.gauge(
                page,
                "observed_generation",
                "The generation that was last brought about without an error.",
                deployment -> number(deployment.getStatus().observedGeneration()));
        each.gauge(
                page,
                "children",
                "Objects that were made.",
                deployment -> list(deployment.getStatus().children()).size());
        each.gauge(page, "nodes_wanted", "Nodes that the driver is to run on.", nodes::applyAsInt);
        nodes(page, each, "registered", "Nodes whose kubelet knows the driver.", NodeStatus::registered);
        nodes(page, each, "current", "Nodes that run the driver as it is wanted now.", NodeStatus::current);
        nodes(
                page,
                each,
                "in_trouble",
                "Nodes where a container of the driver does not run.",
                node -> node.message() != null);
        // Not by node: a cluster may have thousands, and whoever wants to know which finds it in the status.
        each.lines(page, "node_conditions", "Nodes by what was found on them for drivers.", States::nodeConditions);
        each.gauge(
                page,
                "deletion_blockers",
                "Volumes that are attached and hold the deletion up.",
                deployment -> list(deployment.getStatus().blockers()).size());
    }

    private void byState(Page page) {
        var states = new TreeMap<>(Map.of("New", 0, "Managed", 0, "Unmanaged", 0, "Removed", 0));
        deployments.forEach(deployment ->
                states.merge(Objects.requireNonNullElse(deployment.getStatus().state(), "New"), 1, Integer::sum));
        page.family(DEPLOYMENTS, "gauge", "CSIDriverDeployments by their state.");
        states.forEach((state, count) -> page.line(DEPLOYMENTS, count, "state", state));
    }

    private static void nodes(
            Page page, EachOf<CsiDriverDeployment> each, String which, String help, Predicate<NodeStatus> condition) {
        each.gauge(
                page,
                "nodes_" + which,
                help,
                deployment -> list(deployment.getStatus().nodes()).stream()
                        .filter(condition)
                        .count());
    }

    private static Stream<EachOf.Line> nodeConditions(CsiDriverDeployment deployment) {
        var counts = new TreeMap<String, Map<String, Integer>>();
        list(deployment.getStatus().nodes()).stream()
                .flatMap(node -> list(node.conditions()).stream())
                .forEach(condition -> counts.computeIfAbsent(condition.type(), type -> new HashMap<>())
                        .merge(EachOf.word(condition.status()), 1, Integer::sum));
        return counts.entrySet().stream()
                .flatMap(type ->
                        EachOf.byStatus(type.getKey(), status -> type.getValue().getOrDefault(status, 0)));
    }

    private static String version(CsiDriverDeployment.Status status) {
        return status.driver() == null ? "" : text(status.driver().version());
    }

    private static long number(@Nullable Long number) {
        return number == null ? 0 : number;
    }

    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }
}
