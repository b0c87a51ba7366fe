package dev.stowage.manager.weka;

import dev.stowage.kube.Events;
import dev.stowage.kube.weka.WekaClient;
import dev.stowage.manager.beside.MountHolders;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Tells that a client leaves its driver, and which volumes of it are in use where nobody can unmount them then. */
final class LeavingNews {

    private final World world;
    private final Claims claims;
    private final MountHolders holders;
    private final Events events;

    /** By the client: from which driver to which it was told to go last. */
    private final Map<String, String> told = new ConcurrentHashMap<>();

    LeavingNews(World world, Claims claims, MountHolders holders, Events events) {
        this.world = world;
        this.claims = claims;
        this.holders = holders;
        this.events = events;
    }

    /** It has a driver, so that whatever it leaves next is news. */
    void stays(WekaClient client) {
        told.remove(client.getMetadata().getUid());
    }

    /**
     * Once, however often the status has to be written for it.
     *
     * @param rival the client of another cluster that has the name of the driver, if that is why
     */
    void leaves(WekaClient client, String driver, Claims.Wish wish, Optional<String> rival) {
        String news = driver + " " + wish.driver().orElse(wish.reason());
        if (news.equals(told.get(client.getMetadata().getUid()))) {
            return;
        }
        var others = claims.claimants(driver).stream()
                .filter(other -> !Key.named(other).equals(Key.named(client)))
                .toList();
        boolean renamed = wish.driver().isPresent() && !wish.is(driver);
        String reason = renamed ? "CsiDriverRenamed" : "CsiRemoved";
        String what = renamed
                ? "the driver is called %s instead of %s from now on"
                        .formatted(wish.driver().orElseThrow(), driver)
                : "the driver %s is removed%s: %s"
                        .formatted(driver, others.isEmpty() ? "" : " from this client", why(driver, wish, rival));
        what += staying(driver, others);
        var volumes =
                others.isEmpty() ? holders.inUse(driver) : holders.inUse(driver, nodesOfNobodyElse(client, others));
        String where = others.isEmpty() ? "" : " on nodes that only this client has";
        if (volumes.isEmpty()) {
            events.normal(client, reason, "%s; no pod uses a volume of it%s".formatted(what, where));
        } else {
            events.warning(
                    client,
                    reason,
                    "%s; what is mounted stays so, but volumes of %s are in use%s, %d in all"
                            .formatted(what, driver, where, volumes.size()),
                    volumes);
        }
        // Not before: who could not be told is to be told the next time.
        told.put(client.getMetadata().getUid(), news);
    }

    private static String why(String driver, Claims.Wish wish, Optional<String> rival) {
        return wish.is(driver)
                ? "it is that of WekaClient %s, which is of another cluster".formatted(rival.orElse(""))
                : wish.message();
    }

    /** Who shares a driver keeps it. */
    private static String staying(String driver, List<WekaClient> others) {
        return others.isEmpty()
                ? ""
                : others.stream()
                        .map(Key::named)
                        .collect(Collectors.joining(", ", "; %s stays for WekaClient ".formatted(driver), ""));
    }

    /** Of a client that is deleted the containers are gone by then, so that only what it selects tells where they were. */
    private Set<String> nodesOfNobodyElse(WekaClient client, List<WekaClient> others) {
        var nodes = new TreeSet<>(NodeSelection.of(client, world.nodes()));
        nodesOf(client).forEach(nodes::add);
        others.stream().flatMap(this::nodesOf).forEach(nodes::remove);
        return nodes;
    }

    private Stream<String> nodesOf(WekaClient client) {
        return world.containersOf(client).stream()
                .map(container -> container.getSpec().nodeAffinity())
                .filter(Objects::nonNull);
    }
}
