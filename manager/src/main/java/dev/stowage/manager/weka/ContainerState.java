package dev.stowage.manager.weka;

import dev.stowage.kube.weka.WekaContainer;
import dev.stowage.manager.beside.Placement;
import dev.stowage.manager.beside.PodTroubles;
import dev.stowage.manager.beside.ReadyNodes;
import dev.stowage.manager.beside.ReadyPods;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** How a container is, in the words of its resource. */
final class ContainerState {

    static final String RUNNING = "Running";

    /** Why one is said to run, or not to, whose pod stays as it was because the API server would not take another. */
    static final String REFUSED = "Refused";

    private final World world;
    private final Function<String, Optional<DriverState>> drivers;
    private final WekaContainer container;

    ContainerState(World world, Function<String, Optional<DriverState>> drivers, WekaContainer container) {
        this.world = world;
        this.drivers = drivers;
        this.container = container;
    }

    record Told(String status, String message, Server server) {
        Told and(String more) {
            return new Told(status, message + "; " + more, server);
        }
    }

    /** The node server beside it. */
    record Server(boolean ready, String reason, String message) {}

    Told invalid() {
        String why = container.getSpec().unreadable();
        return new Told("Error", why != null ? why : "spec.nodeAffinity and spec.image have to be given", server());
    }

    Told failed(List<String> errors) {
        return new Told("Error", String.join("; ", errors), server());
    }

    /** @param waiting why its pod is not replaced, if it should be */
    Told now(List<Pod> pods, Optional<List<String>> waiting) {
        var pod = pods.stream()
                .filter(each -> each.getMetadata()
                        .getName()
                        .equals(container.getMetadata().getName()))
                .findFirst();
        if (pod.isEmpty()) {
            return new Told("Init", "its pod is being made", server());
        }
        if (pod.get().getMetadata().getDeletionTimestamp() != null) {
            return new Told("PodTerminating", "its pod ends", server());
        }
        if (!running(pod.get())) {
            return new Told("PodNotRunning", "its pod does not run" + why(pod.get()), server());
        }
        if (!ReadyPods.ready(pod.get())) {
            return new Told("Unhealthy", "its pod runs and is not ready" + why(pod.get()), server());
        }
        String node = Objects.requireNonNull(container.getSpec().nodeAffinity());
        if (world.node(node).filter(ReadyNodes::ready).isEmpty()) {
            return new Told("Unhealthy", "node " + node + " is not ready", server());
        }
        return new Told(
                RUNNING,
                waiting.map(why -> "its pod is of a former template: " + String.join(", ", why))
                        .orElse("its pod is ready"),
                server());
    }

    private static boolean running(Pod pod) {
        return pod.getStatus() != null && RUNNING.equals(pod.getStatus().getPhase());
    }

    /** What Kubernetes says of it, if it has said anything yet. */
    private static String why(Pod pod) {
        return PodTroubles.of(pod).map(trouble -> ": " + trouble).orElse("");
    }

    private Server server() {
        String driver = container.getSpec().csiDriverName();
        var all = world.nodeServersOf(Key.named(container));
        String former = all.stream()
                .flatMap(pod -> WekaOwnership.LABELS.owner(pod).stream())
                .filter(name -> !name.equals(driver))
                .distinct()
                .map(name -> "the node server of " + name + " is still there")
                .collect(Collectors.joining("; "));
        if (driver == null) {
            return new Server(
                    false,
                    former.isEmpty() ? "Disabled" : "Former",
                    former.isEmpty() ? "no driver is deployed" : former);
        }
        // It may be that of another container on the same node, whose client shares the driver.
        var own = world.nodeServers(driver).stream()
                .filter(pod -> Placement.node(pod)
                        .filter(node -> node.equals(container.getSpec().nodeAffinity()))
                        .isPresent())
                .findFirst();
        if (own.isEmpty()) {
            return new Server(false, "Missing", "the node server of " + driver + " is being made");
        }
        boolean ready = ReadyPods.ready(own.get());
        boolean outdated = drivers.apply(driver)
                .filter(state -> Placement.node(own.get())
                        .filter(state.outdated()::contains)
                        .isPresent())
                .isPresent();
        String message = "pod %s is %s%s"
                .formatted(
                        Key.named(own.get()),
                        ready ? "ready" : "not ready" + why(own.get()),
                        outdated ? " and of a former template: others are replaced before it" : "");
        return new Server(ready, ready ? "Ready" : "NotReady", former.isEmpty() ? message : message + "; " + former);
    }
}
