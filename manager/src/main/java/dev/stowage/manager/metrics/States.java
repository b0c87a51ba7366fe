package dev.stowage.manager.metrics;

import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.kube.csidriver.CsiDriverDeployment.NodeStatus;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** How the deployments are, as their statuses say. One that is gone is not told any more. */
final class States {

    private static final String PREFIX = "stowage_manager_";
    private static final List<String> STATUSES = List.of("true", "false", "unknown");

    private final List<Seen> deployments;

    /**
     * A deployment and what its status does not say.
     *
     * @param nodes on how many nodes Kubernetes wants its pods
     */
    record Seen(CsiDriverDeployment deployment, int nodes) {
        String namespace() {
            return deployment.getMetadata().getNamespace();
        }

        String name() {
            return deployment.getMetadata().getName();
        }

        CsiDriverDeployment.Status status() {
            return deployment.getStatus();
        }

        long count(Predicate<NodeStatus> which) {
            return list(status().nodes()).stream().filter(which).count();
        }
    }

    States(List<Seen> deployments) {
        this.deployments = deployments.stream()
                .sorted(Comparator.comparing(Seen::namespace).thenComparing(Seen::name))
                .toList();
    }

    void write(Page page) {
        byState(page);
        info(page);
        conditions(page);
        gauge(
                page,
                "deployment_generation",
                "The generation of the deployment.",
                each -> number(each.deployment().getMetadata().getGeneration()));
        gauge(
                page,
                "deployment_observed_generation",
                "The generation that was last brought about without an error.",
                each -> number(each.status().observedGeneration()));
        gauge(
                page,
                "deployment_children",
                "Objects that were made.",
                each -> list(each.status().children()).size());
        gauge(page, "deployment_nodes_wanted", "Nodes that the driver is to run on.", Seen::nodes);
        gauge(
                page,
                "deployment_nodes_registered",
                "Nodes whose kubelet knows the driver.",
                each -> each.count(NodeStatus::registered));
        gauge(
                page,
                "deployment_nodes_current",
                "Nodes that run the driver as it is wanted now.",
                each -> each.count(NodeStatus::current));
        gauge(
                page,
                "deployment_nodes_in_trouble",
                "Nodes where a container of the driver does not run.",
                each -> each.count(node -> node.message() != null));
        nodeConditions(page);
        gauge(
                page,
                "deployment_deletion_blockers",
                "Volumes that are attached and hold the deletion up.",
                each -> list(each.status().blockers()).size());
    }

    private void byState(Page page) {
        var states = new TreeMap<>(Map.of("New", 0, "Managed", 0, "Unmanaged", 0, "Removed", 0));
        deployments.forEach(
                each -> states.merge(Objects.requireNonNullElse(each.status().state(), "New"), 1, Integer::sum));
        page.family(PREFIX + "deployments", "gauge", "CSIDriverDeployments by their state.");
        states.forEach((state, count) -> page.line(PREFIX + "deployments", count, "state", state));
    }

    private void info(Page page) {
        String name = PREFIX + "deployment_info";
        page.family(name, "gauge", "The driver of a deployment, and the version that it told.");
        for (var each : deployments) {
            var told = each.status().driver();
            page.line(
                    name,
                    1,
                    "namespace",
                    each.namespace(),
                    "name",
                    each.name(),
                    "driver",
                    text(each.deployment().getSpec().driverName()),
                    "version",
                    told == null ? "" : text(told.version()));
        }
    }

    private void conditions(Page page) {
        String name = PREFIX + "deployment_condition";
        page.family(name, "gauge", "Conditions of deployments: 1 for the status that one has now.");
        for (var each : deployments) {
            for (var condition : list(each.status().conditions())) {
                String now = condition.status().toLowerCase(Locale.ROOT);
                for (String status : STATUSES) {
                    page.line(
                            name,
                            status.equals(now) ? 1 : 0,
                            "namespace",
                            each.namespace(),
                            "name",
                            each.name(),
                            "condition",
                            condition.type(),
                            "status",
                            status);
                }
            }
        }
    }

    /** Not by node: a cluster may have thousands, and whoever wants to know which finds it in the status. */
    private void nodeConditions(Page page) {
        String name = PREFIX + "deployment_node_conditions";
        page.family(name, "gauge", "Nodes by what was found on them for drivers.");
        for (var each : deployments) {
            var counts = new TreeMap<String, Map<String, Integer>>();
            list(each.status().nodes()).stream()
                    .flatMap(node -> list(node.conditions()).stream())
                    .forEach(condition -> counts.computeIfAbsent(condition.type(), type -> new HashMap<>())
                            .merge(condition.status().toLowerCase(Locale.ROOT), 1, Integer::sum));
            counts.forEach((type, byStatus) -> STATUSES.forEach(status -> page.line(
                    name,
                    byStatus.getOrDefault(status, 0),
                    "namespace",
                    each.namespace(),
                    "name",
                    each.name(),
                    "condition",
                    type,
                    "status",
                    status)));
        }
    }

    private void gauge(Page page, String suffix, String help, ToDoubleFunction<Seen> value) {
        page.family(PREFIX + suffix, "gauge", help);
        deployments.forEach(each -> page.line(
                PREFIX + suffix, value.applyAsDouble(each), "namespace", each.namespace(), "name", each.name()));
    }

    private static <T> List<T> list(@Nullable List<T> list) {
        return list == null ? List.of() : list;
    }

    private static long number(@Nullable Long number) {
        return number == null ? 0 : number;
    }

    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }
}
