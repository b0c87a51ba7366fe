package dev.stowage.manager.weka;

import dev.stowage.kube.Events;
import dev.stowage.kube.weka.WekaContainer;
import dev.stowage.manager.apply.Conditions;
import dev.stowage.manager.apply.StatusBook;
import dev.stowage.manager.beside.NodeServers;
import dev.stowage.manager.beside.ReadyNodes;
import dev.stowage.manager.beside.ReadyPods;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the pod of a container, and tells how it is. */
final class ContainerReconciler {

    private static final Logger LOG = LoggerFactory.getLogger(ContainerReconciler.class);
    private static final List<String> BY_HAND =
            List.of("spec.upgradePolicy is manual: delete the pod to have it replaced");
    private static final List<String> IN_TURN = List.of("others are replaced before it");

    private final World world;
    private final NodeServers pods;
    private final StatusBook book;
    private final Events events;
    private final Consumer<Key> look;
    private final Function<String, Optional<DriverState>> drivers;

    /** @param drivers how they are, by their names */
    ContainerReconciler(
            World world,
            NodeServers pods,
            Function<String, Optional<DriverState>> drivers,
            StatusBook book,
            Events events,
            Consumer<Key> look) {
        this.world = world;
        this.pods = pods;
        this.drivers = drivers;
        this.book = book;
        this.events = events;
        this.look = look;
    }

    /** @return whether there is nothing more to do before something changes */
    boolean reconcile(String name) {
        var present = world.podsOf(name);
        var found = world.container(name).filter(each -> each.getMetadata().getDeletionTimestamp() == null);
        if (found.isEmpty()) {
            return end(name, present);
        }
        var container = found.get();
        if (!World.isClient(container)) {
            return true;
        }
        var state = new ContainerState(world, drivers, container);
        if (container.getSpec().unreadable() != null
                || container.getSpec().nodeAffinity() == null
                || container.getSpec().image() == null) {
            var invalid = state.invalid();
            book.write(container, status(container, invalid, invalid.status()));
            return true;
        }
        var wanted = wanted(container);
        var result = pods.settle(present, Map.of(wanted.getMetadata().getName(), wanted), turn(container));
        world.clientOfContainer(container)
                .ifPresent(client -> result.restored().forEach(each -> each.tell(events, client)));
        var told = result.failures().isEmpty()
                ? state.now(present, result.waiting().values().stream().findFirst())
                : state.failed(result.failures());
        // Its pod goes on to be as well as it was.
        var refused = result.refused().values().stream().findFirst();
        book.write(
                container,
                refused.map(why -> status(container, told.and(why), ContainerState.REFUSED))
                        .orElse(status(container, told, told.status())));
        look.accept(Key.node(Objects.requireNonNull(container.getSpec().nodeAffinity())));
        return result.errors().isEmpty();
    }

    /** There is no status any more that could tell what fails. */
    private boolean end(String name, List<Pod> present) {
        var result = pods.settle(present, Map.of(), NodeServers.Holders.NOBODY);
        result.errors()
                .forEach(error ->
                        LOG.warn("WekaContainer {} is gone, and its pod is not: will try again: {}", name, error));
        return result.settled();
    }

    private static WekaContainer.Status status(WekaContainer container, ContainerState.Told told, String reason) {
        var conditions = new Conditions(container.getStatus().conditions())
                .set("Running", told.status().equals(ContainerState.RUNNING) ? "True" : "False", reason, told.message())
                .set(
                        "CsiNodeServer",
                        told.server().ready() ? "True" : "False",
                        told.server().reason(),
                        told.server().message())
                .all();
        return new WekaContainer.Status(told.status(), conditions);
    }

    private Pod wanted(WekaContainer container) {
        return pods.placement()
                .pod(
                        Objects.requireNonNull(container.getSpec().nodeAffinity()),
                        ClientPod.metadata(container),
                        ClientPod.template(container));
    }

    /** When a pod of another template may be ended. One that does not work is not waited for. */
    private NodeServers.Holders turn(WekaContainer container) {
        String policy = Objects.requireNonNullElse(container.getSpec().upgradePolicyType(), "rolling");
        return (pod, again) -> switch (policy) {
            case "manual" -> BY_HAND;
            case "all-at-once" -> List.of();
            default -> ReadyPods.ready(pod) ? before(container) : List.of();
        };
    }

    /**
     * What has to be waited for: all before it are to be new, and all others to work, but for those on nodes that are not ready. Only the first in
     * the line names who is in the way. If all did, each that is replaced would have the status of all behind it written.
     */
    private List<String> before(WekaContainer container) {
        var siblings = world.clientOfContainer(container).stream()
                .flatMap(client -> world.containersOf(client).stream())
                .filter(sibling -> sibling.getMetadata().getDeletionTimestamp() == null)
                .filter(sibling ->
                        sibling.getSpec().image() != null && sibling.getSpec().nodeAffinity() != null)
                .filter(sibling -> isOnAReadyNode(sibling) || Key.named(sibling).equals(Key.named(container)))
                .sorted(Comparator.comparing(Key::named))
                .toList();
        boolean before = true;
        var waitsFor = List.<String>of();
        for (var sibling : siblings) {
            if (Key.named(sibling).equals(Key.named(container))) {
                before = false;
                continue;
            }
            var pod = ready(sibling);
            if (before && pod.isPresent() && !isCurrent(sibling, pod.get())) {
                return IN_TURN;
            }
            if (pod.isEmpty() && waitsFor.isEmpty()) {
                waitsFor = List.of("it waits until Pod %s on node %s is ready"
                        .formatted(Key.named(sibling), sibling.getSpec().nodeAffinity()));
            }
        }
        return waitsFor;
    }

    private boolean isOnAReadyNode(WekaContainer container) {
        return world.node(Objects.requireNonNull(container.getSpec().nodeAffinity()))
                .filter(ReadyNodes::ready)
                .isPresent();
    }

    private Optional<Pod> ready(WekaContainer container) {
        return world.podsOf(Key.named(container)).stream()
                .filter(ReadyPods::ready)
                .findFirst();
    }

    private boolean isCurrent(WekaContainer container, Pod pod) {
        return pods.placement().isCurrent(pod, wanted(container));
    }
}
