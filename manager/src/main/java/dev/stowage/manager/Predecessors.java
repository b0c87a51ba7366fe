package dev.stowage.manager;

import dev.stowage.kube.Cache;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.manager.apply.Children;
import dev.stowage.manager.beside.Placement;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Pods of a driver that another object has brought to their nodes than the one that is to from now on: a DaemonSet of another name, or none
 * at all because the driver followed clients.
 *
 * <p>They end first. A node has room for one driver of a name: a second one would listen at the same socket, and the first one would take
 * that away when it ends.
 */
final class Predecessors {

    private final Cache<Pod> pods;
    private final InstantSource clock;

    Predecessors(Cache<Pod> pods, InstantSource clock) {
        this.pods = pods;
        this.clock = clock;
    }

    /**
     * Those that have not ended yet.
     *
     * @param owner NAMESPACE/NAME
     * @param wanted nothing for a driver that is to be beside clients
     */
    List<Pod> of(String owner, Optional<DaemonSet> wanted) {
        return pods.by(Children.BY_OWNER, owner).stream()
                .filter(pod -> wanted.map(set -> isOfAnother(pod, set)).orElseGet(() -> isOfADaemonSet(pod)))
                .filter(pod -> !NodePods.hadItsTime(pod, clock.instant()))
                .toList();
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
