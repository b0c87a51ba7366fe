package dev.stowage.manager.weka;

import dev.stowage.kube.weka.WekaClient;
import dev.stowage.kube.weka.WekaResources;
import io.fabric8.kubernetes.api.model.storage.CSIDriver;
import io.fabric8.kubernetes.api.model.storage.CSIDriverBuilder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Which client wants which driver, and who gets it.
 *
 * <p>A client has a driver when its name is in the client's status; that is written before anything of the driver is made, and taken away
 * after everything is gone. Clients of one cluster share a driver. Of clients of different clusters one has the name, the others wait.
 */
final class Claims {

    private static final Comparator<WekaClient> OLDEST = Comparator.comparing(
                    (WekaClient client) -> client.getMetadata().getCreationTimestamp())
            .thenComparing(Key::named);

    private static final int MOST_NAMES = 10;

    private final World world;
    private final Departures departures;

    /** By the name: the client that it was given to last, which its status may not tell yet. */
    private final Map<String, String> given = new ConcurrentHashMap<>();

    Claims(World world, Departures departures) {
        this.world = world;
        this.departures = departures;
    }

    /**
     * What a client wants.
     *
     * @param driver nothing for none
     * @param frozen whether that is only what it had, because nobody can tell what it wants now
     * @param reason why it wants none, or it is not known
     */
    record Wish(Optional<String> driver, boolean frozen, String reason, String message) {
        static Wish none(String reason, String message) {
            return new Wish(Optional.empty(), false, reason, message);
        }

        boolean is(String name) {
            return driver.filter(name::equals).isPresent();
        }
    }

    Wish wish(WekaClient client) {
        var recorded = Optional.ofNullable(client.getStatus().csiDriverName());
        if (client.getMetadata().getDeletionTimestamp() != null) {
            return departures.isOver(client)
                    ? Wish.none("ClientDeleted", "the client is being removed")
                    : new Wish(
                            recorded, true, "ClientDeleted", "the containers and their pods go first" + left(client));
        }
        var read = world.values();
        if (!read.problems().isEmpty()) {
            return new Wish(recorded, true, "InvalidConfiguration", String.join("; ", read.problems()));
        }
        var unclear = unclear(client);
        if (unclear.isPresent() && client.getSpec().unreadable() != null) {
            return unclear.get();
        }
        if (!read.values().installationEnabled()) {
            return Wish.none("Disabled", "csi.installationEnabled is false");
        }
        return unclear.orElseGet(() -> new Wish(
                Optional.of(DriverNames.of(client, world.targetOf(client)).name()), false, "", ""));
    }

    private String left(WekaClient client) {
        var pods = departures.podsOf(client);
        String some = pods.stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
        int more = pods.size() - MOST_NAMES;
        return (pods.isEmpty() ? "" : "; still there: ") + some + (more > 0 ? " and " + more + " more" : "");
    }

    /** Why nobody can tell what a client says of its driver, which stays as it is until then; nothing if one can. */
    Optional<Wish> unclear(WekaClient client) {
        if (client.getSpec().unreadable() != null) {
            return Optional.of(keep(client, "Invalid", client.getSpec().unreadable()));
        }
        var target = world.targetOf(client);
        if (client.getSpec().targetCluster() != null && target.isEmpty()) {
            // The cluster's resource may come back.
            return Optional.of(keep(
                    client,
                    "TargetClusterMissing",
                    "there is no WekaCluster %s, which spec.targetCluster names".formatted(World.targetName(client))));
        }
        var theirs = target.map(cluster -> cluster.getSpec().unreadable());
        if (theirs.isPresent()) {
            return Optional.of(
                    keep(client, "Invalid", "WekaCluster %s: %s".formatted(World.targetName(client), theirs.get())));
        }
        String problem = DriverNames.of(client, target).problem();
        return problem.isEmpty() ? Optional.empty() : Optional.of(keep(client, "Invalid", problem));
    }

    private static Wish keep(WekaClient client, String reason, String message) {
        return new Wish(Optional.ofNullable(client.getStatus().csiDriverName()), true, reason, message);
    }

    /** The clients that have a driver and want to keep it, oldest first. */
    List<WekaClient> claimants(String driver) {
        return world.clients().stream()
                .filter(client -> driver.equals(client.getStatus().csiDriverName()))
                .filter(client -> wish(client).is(driver))
                .sorted(OLDEST)
                .toList();
    }

    /** The one of the claimants that answers for the driver: the one that did, or the oldest that can. */
    WekaClient owner(String driver, List<WekaClient> claimants) {
        var noted = noted(driver);
        return claimants.stream()
                .filter(client -> noted.filter(Key.named(client)::equals).isPresent())
                .findFirst()
                .or(() -> claimants.stream()
                        .filter(client -> unclear(client).isEmpty())
                        .findFirst())
                .orElseGet(claimants::getFirst);
    }

    /** Who answered for a driver last, as NAMESPACE/NAME. */
    Optional<String> noted(String driver) {
        var wanted = new CSIDriverBuilder()
                .withNewMetadata()
                .withName(driver)
                .endMetadata()
                .build();
        return world.children()
                .find(wanted)
                .map(CSIDriver.class::cast)
                .map(found -> found.getMetadata().getAnnotations())
                .filter(notes -> notes.containsKey(WekaResources.OWNER_NAME))
                .map(notes -> notes.get(WekaResources.OWNER_NAMESPACE) + "/" + notes.get(WekaResources.OWNER_NAME));
    }

    /**
     * Those of one cluster with the owner, which is among them. Who has the driver keeps it unless he says himself that he is of another cluster; so
     * does who cannot be asked any more, and everybody while the owner cannot be asked.
     */
    Set<String> sharers(String driver, WekaClient owner, List<WekaClient> claimants) {
        boolean known = unclear(owner).isEmpty();
        var sharers = new HashSet<String>();
        var reached = new ArrayDeque<>(List.of(owner));
        for (var client : claimants) {
            if (!known || unclear(client).isPresent()) {
                sharers.add(Key.named(client));
            } else if (Membership.isUnchanged(client, driver)) {
                reached.add(client);
            }
        }
        while (!reached.isEmpty()) {
            var next = reached.pop();
            if (sharers.add(Key.named(next)) || next == owner) {
                claimants.stream()
                        .filter(client -> !sharers.contains(Key.named(client)) && Membership.together(next, client))
                        .forEach(reached::add);
            }
        }
        return Set.copyOf(sharers);
    }

    /** The client of another cluster that has the name, or is to have it first; nobody when it is this one's. */
    synchronized Optional<String> rival(WekaClient client, String driver) {
        var claimants = claimants(driver);
        if (!claimants.isEmpty()) {
            var owner = owner(driver, claimants);
            var all = new ArrayList<>(claimants);
            boolean has = all.stream().anyMatch(each -> Key.named(each).equals(Key.named(client)));
            if (!has && unclear(owner).isPresent()) {
                // Nobody can tell whether they belong together.
                return Optional.of(Key.named(owner));
            }
            if (!has) {
                all.add(client);
            }
            return sharers(driver, owner, all).contains(Key.named(client))
                    ? Optional.empty()
                    : Optional.of(Key.named(owner));
        }
        var holder = world.clients().stream()
                .filter(other -> driver.equals(other.getStatus().csiDriverName()) || isGiven(driver, other))
                .filter(other -> !Membership.together(other, client))
                .findFirst();
        var older = world.clients().stream()
                .filter(other ->
                        other.getStatus().csiDriverName() == null && wish(other).is(driver))
                .filter(other -> !Membership.together(other, client) && OLDEST.compare(other, client) < 0)
                .findFirst();
        var rival = holder.or(() -> older).map(Key::named);
        if (rival.isEmpty()) {
            given.put(driver, client.getMetadata().getUid());
        }
        return rival;
    }

    /** Until its status tells it, or it wants another. */
    private boolean isGiven(String driver, WekaClient other) {
        return other.getMetadata().getUid().equals(given.get(driver))
                && other.getStatus().csiDriverName() == null
                && wish(other).is(driver);
    }
}
