package dev.stowage.manager;

import dev.stowage.kube.Cache;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Condition;
import dev.stowage.kube.csidriver.CsiDriverDeployment.NodeStatus;
import dev.stowage.manager.beside.Placement;
import dev.stowage.manager.beside.PodTroubles;
import dev.stowage.manager.driver.NodeConditions;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.storage.CSINode;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** How a driver is on each node: whether the kubelet knows it, and whether it is the one that is wanted now. */
final class NodeReports {

    private final NodePods pods;
    private final Revisions revisions;
    private final Cache<CSINode> nodes;
    private final Preflights preflights;
    private final Placement placement;

    NodeReports(NodePods pods, Revisions revisions, Cache<CSINode> nodes, Preflights preflights, Placement placement) {
        this.pods = pods;
        this.revisions = revisions;
        this.nodes = nodes;
        this.preflights = preflights;
        this.placement = placement;
    }

    /**
     * How it is on the nodes of a DaemonSet.
     *
     * @param names by which kubelets may know it
     * @param holders of mounts, by the node that waits for them to go
     * @param otherwise what there is to say of a node that has no trouble of its own
     */
    List<NodeStatus> of(
            CsiDriverDeployment deployment,
            Set<String> names,
            DaemonSet set,
            Map<String, List<String>> holders,
            Optional<String> otherwise) {
        String wanted = revisions
                .current(set)
                .map(ControllerRevision::getMetadata)
                .map(metadata -> metadata.getLabels().get(Revisions.HASH))
                .orElse("");
        return of(deployment, names, pods.of(set), pod -> wanted.equals(NodePods.revision(pod)), holders, otherwise);
    }

    /** How it is on the nodes of the pods that it follows. */
    List<NodeStatus> of(
            CsiDriverDeployment deployment,
            Set<String> names,
            BesideClients.Followers followers,
            Map<String, List<String>> holders,
            Optional<String> otherwise) {
        var present = followers.present().stream()
                .filter(pod -> pod.getSpec().getNodeName() != null)
                .sorted(Comparator.comparing(pod -> pod.getSpec().getNodeName()))
                .toList();
        return of(deployment, names, present, pod -> followers.current(pod, placement), holders, otherwise);
    }

    /** How it is on the nodes of pods that nobody changes. */
    List<NodeStatus> of(CsiDriverDeployment deployment, Set<String> names, List<Pod> present, Predicate<Pod> current) {
        return of(deployment, names, present, current, Map.of(), Optional.empty());
    }

    private List<NodeStatus> of(
            CsiDriverDeployment deployment,
            Set<String> names,
            List<Pod> present,
            Predicate<Pod> current,
            Map<String, List<String>> holders,
            Optional<String> otherwise) {
        String owner = DeploymentReconciler.key(deployment);
        var before = conditions(deployment.getStatus().nodes());
        return present.stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .map(pod -> status(
                        pod,
                        names,
                        current.test(pod),
                        message(pod, holders.get(NodePods.node(pod)), otherwise),
                        NodeConditions.of(preflights.of(owner, pod), before.get(NodePods.node(pod)))))
                .toList();
    }

    private static Map<String, List<Condition>> conditions(@Nullable List<NodeStatus> nodes) {
        var found = new HashMap<String, List<Condition>>();
        for (var node : Objects.requireNonNullElse(nodes, List.<NodeStatus>of())) {
            if (node.conditions() != null) {
                found.put(node.name(), node.conditions());
            }
        }
        return found;
    }

    private NodeStatus status(
            Pod pod, Set<String> names, boolean current, @Nullable String message, List<Condition> conditions) {
        String node = NodePods.node(pod);
        return new NodeStatus(
                node,
                registered(node, names),
                pod.getSpec().getContainers().getFirst().getImage(),
                current,
                message,
                conditions);
    }

    private static @Nullable String message(Pod pod, @Nullable List<String> waitsFor, Optional<String> otherwise) {
        return waitsFor == null
                ? PodTroubles.of(pod).or(() -> otherwise).orElse(null)
                : "has to be drained: " + String.join(", ", waitsFor);
    }

    private boolean registered(String node, Set<String> names) {
        return nodes.find(node)
                .map(found -> found.getSpec().getDrivers())
                .map(drivers -> drivers.stream().anyMatch(each -> names.contains(each.getName())))
                .orElse(false);
    }
}
