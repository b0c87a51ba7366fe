package dev.stowage.manager;

import dev.stowage.kube.Api;
import dev.stowage.kube.Cache;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.manager.apply.Adoption;
import dev.stowage.manager.apply.Children;
import dev.stowage.manager.beside.Placement;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Pods of a driver that another object has brought to their nodes than the one that is to from now on: a DaemonSet of another name, or none
 * at all because the driver followed clients.
 *
 * <p>They end first. A node has room for one driver of a name: a second one would listen at the same socket, and the first one would take
 * that away when it ends.
 */
final class Predecessors {

    private final KubernetesClient client;
    private final Children children;
    private final Cache<Pod> pods;
    private final NodePods nodePods;
    private final InstantSource clock;

    /** By the owner: pods without our labels, which nobody finds any more once the DaemonSet is gone that brought them. */
    private final Map<String, List<Pod>> unmarked = new ConcurrentHashMap<>();

    Predecessors(KubernetesClient client, Children children, Cache<Pod> pods, NodePods nodePods, InstantSource clock) {
        this.client = client;
        this.children = children;
        this.pods = pods;
        this.nodePods = nodePods;
        this.clock = clock;
    }

    /**
     * Those that have not ended yet.
     *
     * @param owner NAMESPACE/NAME
     * @param wanted nothing for a driver that is to be beside clients
     */
    List<Pod> of(String owner, Optional<DaemonSet> wanted) {
        var marked = pods.by(Children.BY_OWNER, owner).stream()
                .filter(pod -> wanted.map(set -> isOfAnother(pod, set)).orElseGet(() -> isOfADaemonSet(pod)));
        return Stream.concat(marked, unmarked(owner, wanted).stream())
                .filter(pod -> !NodePods.hadItsTime(pod, clock.instant()))
                .toList();
    }

    /** Those that an adopted DaemonSet brought before it was adopted. */
    private List<Pod> unmarked(String owner, Optional<DaemonSet> wanted) {
        var left = new ArrayList<Pod>();
        unmarked.getOrDefault(owner, List.of()).stream()
                .flatMap(pod -> still(pod).stream())
                .forEach(left::add);
        children.of(owner).stream()
                .filter(DaemonSet.class::isInstance)
                .map(DaemonSet.class::cast)
                .filter(set -> !wanted.map(HasMetadata::getMetadata)
                        .map(ObjectMeta::getName)
                        .equals(Optional.of(set.getMetadata().getName())))
                .flatMap(set -> nodePods.of(set).stream())
                .filter(pod -> DeploymentOwnership.LABELS.owner(pod).isEmpty())
                .filter(pod -> left.stream().noneMatch(known -> isSame(known, pod)))
                .forEach(left::add);
        if (left.isEmpty()) {
            unmarked.remove(owner);
        } else {
            unmarked.put(owner, List.copyOf(left));
        }
        return left;
    }

    private Optional<Pod> still(Pod pod) {
        return Optional.ofNullable(
                        Api.call(Adoption.named(pod), () -> client.resource(pod).get()))
                .filter(now -> isSame(now, pod));
    }

    private static boolean isSame(Pod one, Pod other) {
        return one.getMetadata().getUid().equals(other.getMetadata().getUid());
    }

    private static boolean isOfAnother(Pod pod, DaemonSet wanted) {
        return Placement.node(pod).isPresent()
                || isOfADaemonSet(pod)
                        && !bringer(pod).equals(Optional.of(wanted.getMetadata().getName()));
    }

    /** A pod that nobody has brought, or whoever did has left it behind, is taken over by the next of the same labels. */
    private static boolean isOfADaemonSet(Pod pod) {
        return pod.getMetadata().getLabels().containsKey(CsiDriverDeployment.DAEMON_SET)
                && bringer(pod).isPresent();
    }

    private static Optional<String> bringer(Pod pod) {
        return pod.getMetadata().getOwnerReferences().stream()
                .filter(reference -> Boolean.TRUE.equals(reference.getController()))
                .map(OwnerReference::getName)
                .findFirst();
    }

    static String told(Pod pod) {
        return "pod %s of the driver on node %s has to end before another comes"
                .formatted(pod.getMetadata().getName(), NodePods.node(pod));
    }
}
