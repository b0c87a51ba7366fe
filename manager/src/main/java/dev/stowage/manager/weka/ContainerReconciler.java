package dev.stowage.manager.weka;

import dev.stowage.kube.Events;
import dev.stowage.kube.weka.WekaContainer;
import dev.stowage.manager.apply.Conditions;
import dev.stowage.manager.apply.StatusBook;
import dev.stowage.manager.beside.NodeServers;
import dev.stowage.manager.beside.ReadyPods;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Keeps the pod of a container, and tells how it is. */
final class ContainerReconciler {

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
            return pods.settle(present, Map.of(), NodeServers.Holders.NOBODY).settled();
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
            default -> !ReadyPods.ready(pod) || isNext(container) ? List.of() : IN_TURN;
        };
    }

    /** Whether all before it are new, and all after it work. */
    private boolean isNext(WekaContainer container) {
        var siblings = world.clientOfContainer(container).stream()
                .flatMap(client -> world.containersOf(client).stream())
                .filter(sibling -> sibling.getMetadata().getDeletionTimestamp() == null)
                .filter(sibling ->
                        sibling.getSpec().image() != null && sibling.getSpec().nodeAffinity() != null)
                .sorted(Comparator.comparing(Key::named))
                .toList();
        boolean before = true;
        for (var sibling : siblings) {
            if (Key.named(sibling).equals(Key.named(container))) {
                before = false;
                continue;
            }
            var pod = ready(sibling);
            if (pod.isEmpty() || before && !isCurrent(sibling, pod.get())) {
                return false;
            }
        }
        return true;
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
