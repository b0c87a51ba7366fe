package dev.stowage.manager.weka;

import dev.stowage.kube.weka.WekaContainer;
import dev.stowage.manager.beside.MountHolders;
import dev.stowage.manager.beside.Placement;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** On which nodes there are node servers of a driver, and for whom. */
final class Servings {

    private final World world;
    private final Claims claims;
    private final ServerRecords records;
    private final MountHolders holders;

    Servings(World world, Claims claims, ServerRecords records, MountHolders holders) {
        this.world = world;
        this.claims = claims;
        this.records = records;
        this.holders = holders;
    }

    /** The container beside which there was a server of a former driver, and who still needs it. */
    record Former(WekaContainer container, List<String> holders) {}

    /** The containers that have a server of a driver on record. */
    List<WekaContainer> recorded(String driver) {
        return world.containers().stream()
                .filter(container -> container.getMetadata().getDeletionTimestamp() == null)
                .filter(container -> ServerRecords.drivers(container).anyMatch(driver::equals))
                .toList();
    }

    /** By the node: the oldest container there that has the driver. */
    Map<String, WekaContainer> served(String driver, Set<String> sharers) {
        var served = new LinkedHashMap<String, WekaContainer>();
        world.containers().stream()
                .filter(World::isClient)
                .filter(container -> container.getMetadata().getDeletionTimestamp() == null)
                .filter(container -> world.clientOfContainer(container)
                        .map(client -> sharers.contains(Key.named(client)))
                        .orElse(true))
                .sorted(Comparator.comparing((WekaContainer container) ->
                                container.getMetadata().getCreationTimestamp())
                        .thenComparing(Key::named))
                .forEach(container -> node(container, driver).ifPresent(node -> served.putIfAbsent(node, container)));
        return served;
    }

    /** Whether nobody can tell what the server beside a container is to be: what the container says, or its client, or its cluster. */
    boolean isUnclear(WekaContainer container) {
        return container.getSpec().unreadable() != null
                || world.clientOfContainer(container).flatMap(claims::unclear).isPresent();
    }

    /** Where a container has a server of a driver. One that cannot be read has what it had. */
    private Optional<String> node(WekaContainer container, String driver) {
        if (container.getSpec().unreadable() != null) {
            return records.of(container, driver).flatMap(Placement::node);
        }
        return driver.equals(container.getSpec().csiDriverName())
                ? Optional.ofNullable(container.getSpec().nodeAffinity())
                : Optional.empty();
    }

    /**
     * By the node: servers of a driver that their clients do not have any more, while something of it is mounted there. A client that goes, or wants
     * no driver any more, keeps none.
     *
     * @param sharers the clients that still have the driver
     * @param served the nodes that have a server of it anyway
     */
    Map<String, Former> former(String driver, Set<String> sharers, Set<String> served) {
        var containers = new TreeMap<String, WekaContainer>();
        for (var pod : world.nodeServers(driver)) {
            World.containerOf(pod)
                    .flatMap(world::container)
                    .ifPresent(container -> Placement.node(pod).ifPresent(node -> containers.put(node, container)));
        }
        for (var container : recorded(driver)) {
            records.of(container, driver)
                    .flatMap(Placement::node)
                    .ifPresent(node -> containers.putIfAbsent(node, container));
        }
        containers.keySet().removeAll(served);
        var former = new TreeMap<String, Former>();
        containers.forEach((node, container) -> {
            var inTheWay = hasAnother(container, sharers) ? holders.mounted(driver, node) : List.<String>of();
            if (!inTheWay.isEmpty()) {
                former.put(node, new Former(container, inTheWay));
            }
        });
        return former;
    }

    /** Whether a container's client goes on with another driver: it was renamed, or lost the name to a client of another cluster. */
    private boolean hasAnother(WekaContainer container, Set<String> sharers) {
        return container.getMetadata().getDeletionTimestamp() == null
                && world.clientOfContainer(container)
                        .filter(client -> !sharers.contains(Key.named(client)))
                        .map(claims::wish)
                        .filter(wish -> wish.driver().isPresent() || wish.frozen())
                        .isPresent();
    }
}
