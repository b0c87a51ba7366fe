package dev.stowage.manager;

import dev.stowage.kube.Api;
import dev.stowage.kube.Pages;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.manager.apply.Adoption;
import dev.stowage.manager.apply.Children;
import dev.stowage.manager.beside.MountHolders;
import dev.stowage.manager.beside.NodeServers;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

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
    private final KnownNames names;
    private final MountHolders holders;

    HeldPlaces(
            KubernetesClient client,
            Children children,
            NodePods pods,
            BesideClients beside,
            KnownNames names,
            MountHolders holders) {
        this.client = client;
        this.children = children;
        this.pods = pods;
        this.beside = beside;
        this.names = names;
        this.holders = holders;
    }

    /**
     * What stays as it is for now.
     *
     * @param waiting by the node: who has mounts there
     * @param sets all DaemonSets of the driver that are ours
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
                    Optional.empty(), pods, new NodeServers.Result(waiting, List.of(), List.of(), Map.of(), List.of()));
        }
    }

    /** @param wanted nothing for a driver that is to be beside clients */
    Held of(CsiDriverDeployment deployment, String owner, Optional<DaemonSet> wanted) {
        var spec = deployment.getSpec();
        if (!Boolean.TRUE.equals(spec.holdsMounts())) {
            return Held.NOTHING;
        }
        var sets = sets(owner, wanted);
        var leaving = new ArrayList<Pod>();
        sets.forEach(set -> leaving.addAll(leaving(set, wanted)));
        if (spec.besidePods() == null) {
            leaving.addAll(beside.of(owner));
        }
        var waiting = waiting(deployment, leaving);
        if (waiting.isEmpty()) {
            return Held.NOTHING;
        }
        var all = new ArrayList<>(beside.of(owner));
        sets.forEach(set -> all.addAll(pods.of(set)));
        var ours = sets.stream()
                .filter(set ->
                        children.owner(set).filter(owner::equals).isPresent() || Management.known(deployment, set))
                .toList();
        return new Held(waiting, ours, all.stream().distinct().toList());
    }

    /** Those that the driver has, and one that it is about to take over: that one has no labels of ours yet, or not any more. */
    private List<DaemonSet> sets(String owner, Optional<DaemonSet> wanted) {
        var sets = new ArrayList<DaemonSet>();
        children.of(owner).stream()
                .filter(DaemonSet.class::isInstance)
                .map(DaemonSet.class::cast)
                .forEach(sets::add);
        wanted.filter(each -> children.find(each).isEmpty())
                .map(each -> Api.call(
                        Adoption.named(each), () -> client.resource(each).get()))
                .ifPresent(sets::add);
        return sets;
    }

    private Map<String, List<String>> waiting(CsiDriverDeployment deployment, List<Pod> leaving) {
        var waiting = new TreeMap<String, List<String>>();
        if (leaving.isEmpty()) {
            return waiting;
        }
        var uses = holders.look(names.of(deployment, leaving));
        for (var pod : leaving) {
            String node = NodePods.node(pod);
            var mounts = uses.on(node);
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
        var before = set.getSpec().getTemplate();
        var after = next.get().getSpec().getTemplate();
        if (NodeFit.same(before, after)) {
            return List.of();
        }
        var left = new HashSet<String>();
        var known = new HashSet<String>();
        Pages.each("nodes", client.nodes(), (Node node) -> {
            String name = node.getMetadata().getName();
            known.add(name);
            // Those that are left already are not ours to keep.
            if (NodeFit.keeps(before, node) && !NodeFit.keeps(after, node)) {
                left.add(name);
            }
        });
        // Nobody can tell what a node is like that is not there.
        return pods.of(set).stream()
                .filter(pod -> left.contains(NodePods.node(pod)) || !known.contains(NodePods.node(pod)))
                .toList();
    }
}
