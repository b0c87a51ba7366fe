package dev.stowage.manager;

import dev.stowage.kube.Api;
import dev.stowage.kube.Digest;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Rollout;
import dev.stowage.manager.apply.Adoption;
import dev.stowage.manager.beside.MountHolders;
import dev.stowage.manager.beside.ReadyPods;
import dev.stowage.manager.beside.Taints;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.TaintBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Brings a new template to the nodes of a driver whose processes hold mounts: a node that has some is left alone until it is drained.
 *
 * <p>Between the look at a node and the end of its driver a pod could come and mount. So the node is closed to new pods first, and
 * opened again once its new driver is ready. Which node that is stands in the status before it is closed: whoever goes on after a crash
 * opens it.
 */
final class Restarts {

    private final KubernetesClient client;
    private final Revisions revisions;
    private final NodePods pods;
    private final KnownNames names;
    private final MountHolders holders;

    Restarts(KubernetesClient client, Revisions revisions, NodePods pods, KnownNames names, MountHolders holders) {
        this.client = client;
        this.revisions = revisions;
        this.pods = pods;
        this.names = names;
        this.holders = holders;
    }

    /**
     * What is to be in the status now.
     *
     * @param rollout with the node that is being restarted, if there is one
     * @param waiting nodes that have mounts, and who has them
     */
    record Step(Rollout rollout, Map<String, List<String>> waiting) {}

    /** @param owner of the deployment, by which its taints are told from those of others */
    Step advance(CsiDriverDeployment deployment, String owner, DaemonSet live, Rollout state) {
        var revision = revisions.current(live);
        if (revision.isEmpty()) {
            return new Step(state, Map.of());
        }
        var labels = revision.get().getMetadata().getLabels();
        String hash = labels == null ? "" : labels.getOrDefault(Revisions.HASH, "");
        var all = pods.of(live);
        var drivers = names.of(deployment, all);
        if (state.restarting() != null) {
            return restart(new Gate(owner, state.restarting()), drivers, live, all, hash, state);
        }
        return choose(drivers, all, hash, state);
    }

    /** A restart that nobody goes on with keeps no pods away. */
    Rollout abandon(String owner, Rollout state) {
        if (state.restarting() == null) {
            return state;
        }
        new Gate(owner, state.restarting()).open();
        return state.restarting(null);
    }

    /** One node at a time, and none while a restarted one is not ready. */
    private Step choose(Set<String> drivers, List<Pod> all, String hash, Rollout state) {
        var former = all.stream().filter(pod -> !isCurrent(pod, hash)).toList();
        if (former.isEmpty()) {
            return new Step(state, Map.of());
        }
        var waiting = new TreeMap<String, List<String>>();
        boolean settled = all.stream().filter(pod -> isCurrent(pod, hash)).allMatch(ReadyPods::ready);
        var uses = holders.look(drivers);
        var next = Optional.<String>empty();
        for (var pod : former) {
            String node = NodePods.node(pod);
            var mounts = uses.on(node);
            if (!mounts.isEmpty()) {
                waiting.put(node, mounts);
            } else if (next.isEmpty()) {
                next = Optional.of(node);
            }
        }
        return new Step(settled ? state.restarting(next.orElse(null)) : state, waiting);
    }

    private Step restart(Gate gate, Set<String> drivers, DaemonSet live, List<Pod> all, String hash, Rollout state) {
        String node = gate.node();
        var present =
                all.stream().filter(each -> NodePods.node(each).equals(node)).toList();
        var pod = present.stream()
                .filter(each -> each.getMetadata().getDeletionTimestamp() == null)
                .findFirst();
        if (pod.isEmpty()) {
            if (present.isEmpty() && !gate.leadsTo(live)) {
                gate.open();
                return new Step(state.restarting(null), Map.of());
            }
            // Kubernetes is about to make the new one. Before the former one has ended it could still mount.
            if (present.isEmpty() && !gate.letsIn(live)) {
                gate.open();
            }
            return new Step(state, Map.of());
        }
        if (isCurrent(pod.get(), hash)) {
            if (!ReadyPods.ready(pod.get())) {
                return new Step(state, Map.of());
            }
            gate.open();
            return new Step(state.restarting(null), Map.of());
        }
        if (!gate.close()) {
            return new Step(state, Map.of(node, List.of("another driver is being restarted there")));
        }
        // Now that nobody new can come.
        var mounts = holders.look(drivers, node).on(node);
        if (!mounts.isEmpty()) {
            gate.open();
            return new Step(state.restarting(null), Map.of(node, mounts));
        }
        var _ = Api.attempt(
                Adoption.named(pod.get()),
                () -> client.resource(pod.get()).lockResourceVersion().delete());
        return new Step(state, Map.of());
    }

    private static boolean isCurrent(Pod pod, String hash) {
        return hash.equals(NodePods.revision(pod));
    }

    /** What keeps new pods away from a node. Several drivers may want to; one at a time does. */
    private final class Gate {

        private static final int LENGTH = 16;
        private static final String EFFECT = "NoSchedule";

        private final String node;
        private final String mark;

        Gate(String owner, String node) {
            this.node = node;
            this.mark = Digest.of(owner).substring(0, LENGTH);
        }

        String node() {
            return node;
        }

        /** Whether the driver is to run there. */
        boolean leadsTo(DaemonSet set) {
            Node found =
                    Api.call("node " + node, () -> client.nodes().withName(node).get());
            return found != null && NodeFit.keeps(set.getSpec().getTemplate(), found);
        }

        /** Whether the driver can pass it. A template that is taken back may be from before there was a gate. */
        boolean letsIn(DaemonSet set) {
            var tolerations = set.getSpec().getTemplate().getSpec().getTolerations();
            return tolerations != null && tolerations.stream().anyMatch(each -> Taints.tolerates(each, taint()));
        }

        private Taint taint() {
            return new TaintBuilder()
                    .withKey(CsiDriverDeployment.RESTARTING)
                    .withValue(mark)
                    .withEffect(EFFECT)
                    .build();
        }

        /** @return whether it is closed by us */
        boolean close() {
            return edit(taints -> {
                if (taints.stream().noneMatch(Gate::closes)) {
                    taints.add(taint());
                }
            });
        }

        void open() {
            var _ = edit(taints -> taints.removeIf(this::isOurs));
        }

        private static boolean closes(Taint taint) {
            return CsiDriverDeployment.RESTARTING.equals(taint.getKey());
        }

        private boolean isOurs(Taint taint) {
            return closes(taint) && mark.equals(taint.getValue());
        }

        /** @return whether it is closed by us afterwards */
        private boolean edit(Consumer<List<Taint>> change) {
            Node found =
                    Api.call("node " + node, () -> client.nodes().withName(node).get());
            if (found == null) {
                return false;
            }
            var before = taints(found);
            var after = new ArrayList<>(before);
            change.accept(after);
            if (after.equals(before)) {
                return after.stream().anyMatch(this::isOurs);
            }
            var now = Api.call(
                    "node " + node,
                    () -> client.nodes().withName(node).edit(fresh -> {
                        var taints = taints(fresh);
                        change.accept(taints);
                        fresh.getSpec().setTaints(taints);
                        return fresh;
                    }));
            return taints(now).stream().anyMatch(this::isOurs);
        }

        private static List<Taint> taints(Node node) {
            return new ArrayList<>(Objects.requireNonNullElse(node.getSpec().getTaints(), List.<Taint>of()));
        }
    }
}
