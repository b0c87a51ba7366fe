package dev.stowage.manager;

import dev.stowage.kube.Api;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.manager.apply.Adoption;
import dev.stowage.manager.apply.Children;
import dev.stowage.manager.beside.MountHolders;
import dev.stowage.manager.beside.NodeServers;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAffinity;
import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Nodes from which a driver would be taken whose processes hold mounts that somebody there has.
 *
 * <p>{@link Restarts} ends such a driver where it is to come again. This is about nodes where it is not, or where another object is to
 * bring it: beside clients instead of on every node or the other way round, by a DaemonSet of another name, on fewer nodes.
 */
final class HeldPlaces {

    private final KubernetesClient client;
    private final Children children;
    private final NodePods pods;
    private final BesideClients beside;
    private final MountHolders holders;

    HeldPlaces(KubernetesClient client, Children children, NodePods pods, BesideClients beside, MountHolders holders) {
        this.client = client;
        this.children = children;
        this.pods = pods;
        this.beside = beside;
        this.holders = holders;
    }

    /**
     * What stays as it is for now.
     *
     * @param waiting by the node: who has mounts there
     * @param sets all DaemonSets of the driver
     * @param pods all pods of the driver on nodes
     */
    record Held(Map<String, List<String>> waiting, List<DaemonSet> sets, List<Pod> pods) {

        static final Held NOTHING = new Held(Map.of(), List.of(), List.of());

        boolean any() {
            return !waiting.isEmpty();
        }

        List<String> told() {
            return waiting.entrySet().stream()
                    .map(each -> "the driver stays where it is until node %s is drained: %s"
                            .formatted(each.getKey(), String.join(", ", each.getValue())))
                    .toList();
        }

        BesideClients.Followers followers() {
            return new BesideClients.Followers(
                    Optional.empty(), pods, new NodeServers.Result(waiting, List.of(), List.of(), List.of()));
        }
    }

    /** @param wanted nothing for a driver that is to be beside clients */
    Held of(CsiDriverDeployment deployment, String owner, Optional<DaemonSet> wanted) {
        var spec = deployment.getSpec();
        if (!Boolean.TRUE.equals(spec.holdsMounts())) {
            return Held.NOTHING;
        }
        var sets = children.of(owner).stream()
                .filter(DaemonSet.class::isInstance)
                .map(DaemonSet.class::cast)
                .toList();
        var leaving = new ArrayList<Pod>();
        sets.forEach(set -> leaving.addAll(leaving(set, wanted)));
        if (spec.besidePods() == null) {
            leaving.addAll(beside.of(owner));
        }
        var waiting = waiting(Objects.requireNonNull(spec.driverName()), leaving);
        if (waiting.isEmpty()) {
            return Held.NOTHING;
        }
        var all = new ArrayList<>(beside.of(owner));
        sets.forEach(set -> all.addAll(pods.of(set)));
        return new Held(waiting, sets, all.stream().distinct().toList());
    }

    private Map<String, List<String>> waiting(String driver, List<Pod> leaving) {
        var waiting = new TreeMap<String, List<String>>();
        for (var pod : leaving) {
            String node = NodePods.node(pod);
            var mounts = node.isEmpty() ? List.<String>of() : holders.of(driver, node);
            if (!mounts.isEmpty()) {
                waiting.put(node, mounts);
            }
        }
        return waiting;
    }

    /** The pods of a DaemonSet that would end by what is wanted. */
    private List<Pod> leaving(DaemonSet set, Optional<DaemonSet> wanted) {
        var next = wanted.filter(each -> Adoption.named(each).equals(Adoption.named(set)));
        if (next.isEmpty()) {
            return pods.of(set);
        }
        var before = set.getSpec().getTemplate().getSpec();
        var after = next.get().getSpec().getTemplate().getSpec();
        // Kubernetes knows best what an expression selects; another one may leave out any node.
        if (!Objects.equals(required(before), required(after))) {
            return pods.of(set);
        }
        return selector(before).equals(selector(after))
                ? List.of()
                : pods.of(set).stream()
                        .filter(pod -> !selects(selector(after), NodePods.node(pod)))
                        .toList();
    }

    private static Map<String, String> selector(PodSpec pod) {
        return Objects.requireNonNullElse(pod.getNodeSelector(), Map.of());
    }

    private static @Nullable NodeSelector required(PodSpec pod) {
        NodeAffinity nodes =
                pod.getAffinity() == null ? null : pod.getAffinity().getNodeAffinity();
        return nodes == null ? null : nodes.getRequiredDuringSchedulingIgnoredDuringExecution();
    }

    private boolean selects(Map<String, String> selector, String name) {
        Node node = Api.call("node " + name, () -> client.nodes().withName(name).get());
        return node != null
                && Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.<String, String>of())
                        .entrySet()
                        .containsAll(selector.entrySet());
    }
}
