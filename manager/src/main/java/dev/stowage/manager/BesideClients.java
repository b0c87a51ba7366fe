package dev.stowage.manager;

import dev.stowage.kube.Cache;
import dev.stowage.kube.Digest;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.manager.apply.Children;
import dev.stowage.manager.beside.Gradually;
import dev.stowage.manager.beside.MountHolders;
import dev.stowage.manager.beside.NodeServers;
import dev.stowage.manager.beside.Placement;
import dev.stowage.manager.driver.Part;
import dev.stowage.manager.driver.Rendering;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The node servers of deployments that follow the pods of a client. */
final class BesideClients {

    static final String TEMPLATE = "storage.stowage.dev/pod";

    private final Cache<Pod> pods;
    private final ClientPods clients;
    private final NodeServers servers;
    private final KnownNames names;
    private final MountHolders holders;
    private final Predicate<String> nodeReady;
    private final InstantSource clock;

    /** @param nodeReady asks whether a node is ready */
    BesideClients(
            Cache<Pod> pods,
            ClientPods clients,
            NodeServers servers,
            KnownNames names,
            MountHolders holders,
            Predicate<String> nodeReady,
            InstantSource clock) {
        this.pods = pods;
        this.clients = clients;
        this.servers = servers;
        this.names = names;
        this.holders = holders;
        this.nodeReady = nodeReady;
        this.clock = clock;
    }

    /**
     * How the pods of a deployment are.
     *
     * @param wanted by name; nothing when it does not follow anybody, or it is not known whom
     */
    record Followers(Optional<Map<String, Pod>> wanted, List<Pod> present, NodeServers.Result result) {

        boolean current(Pod pod, Placement placement) {
            var wish = wanted.map(all -> all.get(pod.getMetadata().getName()));
            return wish.isPresent() && placement.isCurrent(pod, wish.get());
        }
    }

    Placement placement() {
        return servers.placement();
    }

    /** Brings the node servers to the nodes of clients, and takes them away where there is none. */
    Followers settle(CsiDriverDeployment deployment, String key, Rendering rendering) {
        var spec = deployment.getSpec();
        var beside = spec.besidePods();
        if (beside == null) {
            clients.forget(key);
            return new Followers(Optional.empty(), List.of(), remove(key));
        }
        var nodes = clients.nodes(key, deployment.getMetadata().getNamespace(), beside);
        if (nodes.isEmpty()) {
            return standing(key);
        }
        var wanted = wanted(deployment, nodes.get(), rendering);
        // A driver whose processes hold mounts would take them with it.
        NodeServers.Holders inTheWay = Boolean.TRUE.equals(spec.holdsMounts())
                ? new InTheWay(() -> holders.look(names.of(deployment)))
                : NodeServers.Holders.NOBODY;
        var present = of(key);
        var result = servers.settle(present, wanted, new Gradually(present, wanted, nodeReady, inTheWay));
        return new Followers(Optional.of(wanted), present, result);
    }

    /** How they are, while nobody comes or goes. */
    Followers standing(String key) {
        return new Followers(Optional.empty(), of(key), NodeServers.Result.NOTHING);
    }

    /** Who has mounts: looked at once for all pods that are to go, and never when none is. */
    private static final class InTheWay implements NodeServers.Holders {
        private final Supplier<MountHolders.Uses> look;
        private MountHolders.@Nullable Uses uses;

        InTheWay(Supplier<MountHolders.Uses> look) {
            this.look = look;
        }

        @Override
        public List<String> of(Pod pod, boolean again) {
            if (uses == null) {
                uses = look.get();
            }
            var seen = uses;
            return Placement.node(pod).map(seen::on).orElse(List.of());
        }
    }

    private Map<String, Pod> wanted(CsiDriverDeployment deployment, Set<String> nodes, Rendering rendering) {
        var names = new DeploymentNames(deployment);
        var wanted = new TreeMap<String, Pod>();
        for (String node : nodes) {
            String name = names.node() + "-" + Digest.of(node).substring(0, 10);
            wanted.put(name, servers.placement().pod(node, names.beside(Part.NODE, name), rendering.nodePod()));
        }
        return wanted;
    }

    /** Removes all that a deployment has, without regard to anybody. */
    NodeServers.Result remove(String key) {
        var present = of(key);
        return present.isEmpty()
                ? NodeServers.Result.NOTHING
                : servers.settle(present, Map.of(), NodeServers.Holders.NOBODY);
    }

    /** Ends to follow a deployment's clients and removes its pods. */
    Remains end(String key) {
        clients.forget(key);
        var result = remove(key);
        return new Remains(
                result.settled() && of(key).stream().allMatch(pod -> NodePods.hadItsTime(pod, clock.instant())),
                result.errors());
    }

    /** The pods that it has beside clients. */
    List<Pod> of(String key) {
        return pods.by(Children.BY_OWNER, key).stream()
                .filter(pod -> Placement.node(pod).isPresent())
                .toList();
    }
}
