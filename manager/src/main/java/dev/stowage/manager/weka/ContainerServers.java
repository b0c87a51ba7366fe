package dev.stowage.manager.weka;

import dev.stowage.kube.Digest;
import dev.stowage.kube.weka.WekaContainer;
import dev.stowage.kube.weka.WekaResources;
import dev.stowage.manager.beside.Gradually;
import dev.stowage.manager.beside.MountHolders;
import dev.stowage.manager.beside.NodeServers;
import dev.stowage.manager.beside.Placement;
import dev.stowage.manager.driver.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The node servers of a driver: one beside each container of the clients that have it. */
final class ContainerServers {

    /** A pod whose time to end has passed by so much is on a node that does not answer. */
    private static final Duration LOST = Duration.ofSeconds(10);

    private static final Set<String> ACCESS =
            Set.of("ServiceAccount", "Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding");
    private static final int DIGEST = 8;

    private final World world;
    private final Claims claims;
    private final NodeServers servers;
    private final MountHolders holders;
    private final InstantSource clock;

    ContainerServers(World world, Claims claims, NodeServers servers, MountHolders holders, InstantSource clock) {
        this.world = world;
        this.claims = claims;
        this.servers = servers;
        this.holders = holders;
        this.clock = clock;
    }

    /** Whether an object is there so that pods may talk to the API server. */
    static boolean isAccess(HasMetadata object) {
        return ACCESS.contains(object.getKind());
    }

    /** Removes those whose container is gone, or has another driver now, and leaves the others as they are. */
    NodeServers.Result prune(String driver, Set<String> sharers) {
        var served = served(driver, sharers);
        var present = world.nodeServers(driver);
        var stay = present.stream()
                .filter(pod -> Placement.node(pod).map(served::containsKey).orElse(false))
                .collect(Collectors.toMap(pod -> pod.getMetadata().getName(), pod -> pod, (one, other) -> one));
        return servers.settle(present, stay, former(driver, true));
    }

    /** @param template of all of them; what each container adds comes to it */
    NodeServers.Result settle(
            String driver, Set<String> sharers, WekaNames names, PodTemplateSpec template, Values values) {
        var present = world.nodeServers(driver);
        var wanted = new TreeMap<String, Pod>();
        served(driver, sharers).forEach((node, container) -> {
            String name = name(container, node, driver, names.namespace(), wanted.keySet());
            wanted.put(name, pod(container, node, name, names, template));
        });
        return servers.settle(
                present,
                wanted,
                new Gradually(
                        present,
                        wanted,
                        node -> world.node(node).filter(NodeSelection::ready).isPresent(),
                        former(driver, values.keepNodeServerUntilUnmounted())));
    }

    /** The oldest container of each node. */
    private Map<String, WekaContainer> served(String driver, Set<String> sharers) {
        var served = new LinkedHashMap<String, WekaContainer>();
        world.containers().stream()
                .filter(container -> driver.equals(container.getSpec().csiDriverName()))
                .filter(container ->
                        WekaResources.MODE_CLIENT.equals(container.getSpec().mode()))
                .filter(container -> container.getMetadata().getDeletionTimestamp() == null)
                .filter(container -> container.getSpec().nodeAffinity() != null)
                .filter(container -> world.clientOfContainer(container)
                        .map(client -> sharers.contains(Key.named(client)))
                        .orElse(true))
                .sorted(Comparator.comparing((WekaContainer container) ->
                                container.getMetadata().getCreationTimestamp())
                        .thenComparing(Key::named))
                .forEach(container -> served.putIfAbsent(
                        Objects.requireNonNull(container.getSpec().nodeAffinity()), container));
        return served;
    }

    /**
     * A driver has one socket on a node, so the pod that is there is replaced, and none comes beside it, even if it was for another container.
     * The usual name of a new one may be taken, by a former driver or a container of another namespace.
     */
    private String name(WekaContainer container, String node, String driver, String namespace, Set<String> taken) {
        String key = Key.named(container);
        var present = world.nodeServers(driver).stream()
                .filter(pod -> Placement.node(pod).filter(node::equals).isPresent())
                .filter(pod -> !taken.contains(pod.getMetadata().getName()))
                .min(Comparator.comparing((Pod pod) ->
                                !World.containerOf(pod).filter(key::equals).isPresent())
                        .thenComparing(pod -> pod.getMetadata().getName()))
                .map(pod -> pod.getMetadata().getName());
        if (present.isPresent()) {
            return present.get();
        }
        String usual = container.getMetadata().getName() + "-csi-node";
        boolean free = !taken.contains(usual)
                && world.driverPod(namespace + "/" + usual).isEmpty();
        return free
                ? usual
                : container.getMetadata().getName() + "-"
                        + Digest.of(driver + " " + key).substring(0, DIGEST) + "-csi-node";
    }

    private Pod pod(WekaContainer container, String node, String name, WekaNames names, PodTemplateSpec template) {
        var advanced = world.clientOfContainer(container)
                .map(client -> world.configOf(client).advancedOrNone());
        var tolerations = new ArrayList<Toleration>(
                Objects.requireNonNullElse(container.getSpec().tolerations(), List.<Toleration>of()));
        advanced.map(each -> each.nodeTolerations()).ifPresent(tolerations::addAll);
        var labels = new HashMap<String, String>();
        advanced.map(each -> each.nodeLabels()).ifPresent(labels::putAll);
        var metadata = new ObjectMetaBuilder(names.beside(Part.NODE, name))
                .addToAnnotations(WekaResources.CONTAINER, Key.named(container))
                .build();
        return servers.placement().pod(node, metadata, DriverPods.beside(template, tolerations, labels));
    }

    /** Removes all of them, except those that are to stay. */
    NodeServers.Result remove(String driver, boolean keeps) {
        return servers.settle(world.nodeServers(driver), Map.of(), former(driver, keeps));
    }

    /**
     * What keeps the node server of a former driver on its node. A client that goes, or wants no driver any more, keeps none.
     *
     * @param keeps whether anything does
     */
    private NodeServers.Holders former(String driver, boolean keeps) {
        if (!keeps) {
            return NodeServers.Holders.NOBODY;
        }
        return (pod, again) -> {
            boolean renamed = World.containerOf(pod)
                    .flatMap(world::container)
                    .filter(container -> container.getMetadata().getDeletionTimestamp() == null)
                    .flatMap(world::clientOfContainer)
                    .map(claims::wish)
                    .filter(wish -> (wish.driver().isPresent() || wish.frozen()) && !wish.is(driver))
                    .isPresent();
            return renamed
                    ? Placement.node(pod)
                            .map(node -> holders.mounted(driver, node))
                            .orElse(List.of())
                    : List.of();
        };
    }

    /** Whether some stay for what is mounted, which nobody tells when it is not any more. */
    boolean keepsSome(NodeServers.Result result) {
        return !result.held().isEmpty();
    }

    /** Whether all others have ended, or are on nodes that do not answer. */
    boolean gone(String driver, NodeServers.Result result) {
        var now = clock.instant();
        return world.nodeServers(driver).stream()
                .filter(pod -> !result.waiting().containsKey(Placement.node(pod).orElse("")))
                .allMatch(pod -> pod.getMetadata().getDeletionTimestamp() != null
                        && Instant.parse(pod.getMetadata().getDeletionTimestamp())
                                .plus(LOST)
                                .isBefore(now));
    }
}
