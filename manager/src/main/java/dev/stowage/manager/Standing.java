package dev.stowage.manager;

import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Child;
import dev.stowage.kube.csidriver.CsiDriverDeployment.NodeStatus;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Rollout;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Status;
import dev.stowage.manager.apply.Children;
import dev.stowage.manager.beside.ReadyPods;
import dev.stowage.manager.driver.Availability;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How a driver is that nobody changes, because what is asked for is refused or it is not managed. It runs, or does not, as it was deployed
 * before, and whoever watches its conditions has to hear of it.
 */
final class Standing {

    private static final Map<String, String> KINDS = Map.of("daemonsets", "DaemonSet", "deployments", "Deployment");

    private final Children children;
    private final BesideClients beside;
    private final NodeReports nodes;
    private final KnownNames names;

    Standing(Children children, BesideClients beside, NodeReports nodes, KnownNames names) {
        this.children = children;
        this.beside = beside;
        this.nodes = nodes;
        this.names = names;
    }

    /** The status of before with what is known now of that which runs. Of what was never deployed, nothing is told. */
    Status of(CsiDriverDeployment deployment, Rollout rollout) {
        var before = deployment.getStatus();
        String key = DeploymentReconciler.key(deployment);
        var live = children.of(key);
        var followers = beside.of(key);
        var gone = gone(before, live);
        var sets = of(live, DaemonSet.class);
        var controllers = of(live, Deployment.class);
        if (sets.isEmpty() && controllers.isEmpty() && followers.isEmpty() && gone.isEmpty()) {
            return before;
        }
        var ready = (int) followers.stream().filter(ReadyPods::ready).count();
        var availability = Availability.standing(sets, controllers, ready, followers.size(), gone);
        var onNodes = onNodes(deployment, sets, followers);
        return before.with(
                        Overview.running(before, availability, rollout, onNodes).all())
                .onNodes(onNodes);
    }

    private List<NodeStatus> onNodes(CsiDriverDeployment deployment, List<DaemonSet> sets, List<Pod> followers) {
        var called = names.of(deployment);
        var current = Objects.requireNonNullElse(deployment.getStatus().nodes(), List.<NodeStatus>of()).stream()
                .filter(NodeStatus::current)
                .map(NodeStatus::name)
                .collect(Collectors.toSet());
        return Stream.concat(
                        sets.stream()
                                .flatMap(set -> nodes.of(deployment, called, set, Map.of(), Optional.empty()).stream()),
                        nodes.of(deployment, called, followers, pod -> current.contains(NodePods.node(pod))).stream())
                .toList();
    }

    /** What was deployed and cannot be found any more, by whatever it would run. */
    private static Set<String> gone(Status before, List<HasMetadata> live) {
        var present = live.stream()
                .map(object -> object.getKind() + " " + object.getMetadata().getName())
                .collect(Collectors.toSet());
        var gone = new TreeSet<String>();
        for (var child : Objects.requireNonNullElse(before.children(), List.<Child>of())) {
            String kind = KINDS.get(child.resource());
            if (kind != null && !present.contains(kind + " " + child.name())) {
                gone.add(kind + " " + child.name());
            }
        }
        return gone;
    }

    private static <T extends HasMetadata> List<T> of(List<HasMetadata> all, Class<T> type) {
        return all.stream().filter(type::isInstance).map(type::cast).toList();
    }
}
