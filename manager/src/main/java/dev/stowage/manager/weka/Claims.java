package dev.stowage.manager.weka;

import dev.stowage.kube.weka.WekaClient;
import dev.stowage.kube.weka.WekaCluster;
import dev.stowage.kube.weka.WekaResources;
import io.fabric8.kubernetes.api.model.storage.CSIDriver;
import io.fabric8.kubernetes.api.model.storage.CSIDriverBuilder;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    private final World world;

    /** The cluster to which a name was given last, which the statuses may not tell yet. */
    private final Map<String, Given> given = new ConcurrentHashMap<>();

    private record Given(String uid, String cluster) {}

    Claims(World world) {
        this.world = world;
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
            return world.containersOf(client).isEmpty()
                    ? Wish.none("ClientDeleted", "the client is being removed")
                    : new Wish(recorded, true, "ClientDeleted", "the containers go first");
        }
        var read = world.values();
        if (!read.problems().isEmpty()) {
            return new Wish(recorded, true, "InvalidConfiguration", String.join("; ", read.problems()));
        }
        if (client.getSpec().unreadable() != null) {
            return new Wish(recorded, true, "Invalid", client.getSpec().unreadable());
        }
        if (!read.values().installationEnabled()) {
            return Wish.none("Disabled", "csi.installationEnabled is false");
        }
        return wishIn(client);
    }

    private Wish wishIn(WekaClient client) {
        Optional<WekaCluster> target = Optional.empty();
        if (client.getSpec().targetCluster() != null) {
            String name = targetOf(client);
            target = world.cluster(name);
            if (target.isEmpty()) {
                // A driver that is there stays: the cluster's resource may come back.
                return new Wish(
                        Optional.ofNullable(client.getStatus().csiDriverName()),
                        true,
                        "TargetClusterMissing",
                        "there is no WekaCluster %s, which spec.targetCluster names".formatted(name));
            }
        }
        var choice = DriverNames.of(client, target);
        return choice.name().isEmpty()
                ? new Wish(Optional.ofNullable(client.getStatus().csiDriverName()), true, "Invalid", choice.problem())
                : new Wish(Optional.of(choice.name()), false, "", "");
    }

    private static String targetOf(WekaClient client) {
        var target = Objects.requireNonNull(client.getSpec().targetCluster());
        String namespace = target.namespace();
        return (namespace == null || namespace.isEmpty() ? client.getMetadata().getNamespace() : namespace)
                + "/"
                + target.name();
    }

    /** What tells that two clients are of one cluster. */
    static String clusterOf(WekaClient client) {
        if (client.getSpec().targetCluster() != null) {
            return "cluster " + targetOf(client);
        }
        var joined = client.getSpec().joinIpPorts();
        return joined == null || joined.isEmpty()
                ? "client " + Key.named(client)
                : joined.stream().sorted().distinct().collect(Collectors.joining(",", "at ", ""));
    }

    /** The clients that have a driver and want to keep it, oldest first. */
    List<WekaClient> claimants(String driver) {
        return world.clients().stream()
                .filter(client -> driver.equals(client.getStatus().csiDriverName()))
                .filter(client -> wish(client).is(driver))
                .sorted(OLDEST)
                .toList();
    }

    /** The one of the claimants that answers for the driver: the one that did, or the oldest. */
    WekaClient owner(String driver, List<WekaClient> claimants) {
        var noted = noted(driver);
        return claimants.stream()
                .filter(client -> noted.filter(Key.named(client)::equals).isPresent())
                .findFirst()
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

    /** Those of one cluster with the owner, which is among them. */
    static Set<String> sharers(WekaClient owner, List<WekaClient> claimants) {
        String cluster = clusterOf(owner);
        return claimants.stream()
                .filter(client -> clusterOf(client).equals(cluster))
                .map(Key::named)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The client of another cluster that has the name, or is to have it first; nobody when it is this one's. */
    synchronized Optional<String> rival(WekaClient client, String driver) {
        String cluster = clusterOf(client);
        var claimants = claimants(driver);
        if (!claimants.isEmpty()) {
            var owner = owner(driver, claimants);
            return clusterOf(owner).equals(cluster) ? Optional.empty() : Optional.of(Key.named(owner));
        }
        var holder = world.clients().stream()
                .filter(other -> driver.equals(other.getStatus().csiDriverName()) || isGiven(driver, other))
                .filter(other -> !clusterOf(other).equals(cluster))
                .findFirst();
        var older = world.clients().stream()
                .filter(other ->
                        other.getStatus().csiDriverName() == null && wish(other).is(driver))
                .filter(other -> !clusterOf(other).equals(cluster) && OLDEST.compare(other, client) < 0)
                .findFirst();
        var rival = holder.or(() -> older).map(Key::named);
        if (rival.isEmpty()) {
            given.put(driver, new Given(client.getMetadata().getUid(), cluster));
        }
        return rival;
    }

    /** Until its status tells it, or it wants another. */
    private boolean isGiven(String driver, WekaClient other) {
        var last = given.get(driver);
        return last != null
                && last.uid().equals(other.getMetadata().getUid())
                && other.getStatus().csiDriverName() == null
                && wish(other).is(driver);
    }
}
