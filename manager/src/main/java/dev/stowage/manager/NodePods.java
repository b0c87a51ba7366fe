package dev.stowage.manager;

import dev.stowage.kube.Api;
import dev.stowage.kube.Cache;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.manager.apply.Adoption;
import dev.stowage.manager.apply.Children;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.NodeAffinity;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The pods of a driver on nodes. */
final class NodePods {

    private final KubernetesClient client;
    private final Cache<Pod> pods;

    NodePods(KubernetesClient client, Cache<Pod> pods) {
        this.client = client;
        this.pods = pods;
    }

    /** Those that have a node or wait for a place on it, in the order of their nodes. */
    List<Pod> of(DaemonSet set) {
        var cached = cached(set);
        return (nodes(cached) < nodesWithPods(set) ? ask(set) : cached)
                .stream()
                        .filter(pod -> !node(pod).isEmpty())
                        .sorted(Comparator.comparing(NodePods::node))
                        .toList();
    }

    private List<Pod> cached(DaemonSet set) {
        return DeploymentOwnership.LABELS.owner(set).stream()
                .flatMap(owner -> pods.by(Children.BY_OWNER, owner).stream())
                .filter(pod -> pod.getMetadata().getLabels().containsKey(CsiDriverDeployment.DAEMON_SET))
                .toList();
    }

    private static long nodes(List<Pod> pods) {
        return pods.stream().map(NodePods::node).distinct().count();
    }

    private static int nodesWithPods(DaemonSet set) {
        var status = set.getStatus();
        return status == null
                ? 0
                : Rollouts.number(status.getCurrentNumberScheduled()) + Rollouts.number(status.getNumberMisscheduled());
    }

    /** The pods of an adopted driver do not have our labels before they are replaced for the first time. */
    private List<Pod> ask(DaemonSet set) {
        return Api.call(
                        Adoption.named(set),
                        () -> client.pods()
                                .inNamespace(set.getMetadata().getNamespace())
                                .withLabelSelector(set.getSpec().getSelector())
                                .list()
                                .getItems())
                .stream()
                // Its controller may have the labels that somebody has chosen for both.
                .filter(pod -> pod.hasOwnerReferenceFor(set))
                .toList();
    }

    /** Where it is, or is to be: a DaemonSet's pod is made for one node. Empty for others that have no node yet. */
    static String node(Pod pod) {
        String node = pod.getSpec().getNodeName();
        return node != null
                ? node
                : Optional.ofNullable(pod.getSpec().getAffinity())
                        .map(Affinity::getNodeAffinity)
                        .map(NodeAffinity::getRequiredDuringSchedulingIgnoredDuringExecution)
                        .stream()
                        .flatMap(required -> required.getNodeSelectorTerms().stream())
                        .flatMap(term -> term.getMatchFields().stream())
                        .filter(field -> field.getKey().equals("metadata.name"))
                        .flatMap(field -> field.getValues().stream())
                        .findFirst()
                        .orElse("");
    }

    /** A node that does not answer keeps its pod until it does, and ends it then without anybody's help. */
    static boolean hadItsTime(Pod pod, Instant now) {
        String end = pod.getMetadata().getDeletionTimestamp();
        return end != null && now.isAfter(Instant.parse(end));
    }

    /** By which template it was made. */
    static String revision(Pod pod) {
        var labels = pod.getMetadata().getLabels();
        return (labels == null ? Map.<String, String>of() : labels).getOrDefault(Revisions.HASH, "");
    }

    /** Since when a pod that is not ready is not. */
    static Instant unreadySince(Pod pod) {
        var created = Instant.parse(pod.getMetadata().getCreationTimestamp());
        return pod.getStatus() == null || pod.getStatus().getConditions() == null
                ? created
                : pod.getStatus().getConditions().stream()
                        .filter(condition -> condition.getType().equals("Ready"))
                        .map(PodCondition::getLastTransitionTime)
                        .filter(Objects::nonNull)
                        .map(Instant::parse)
                        .filter(created::isBefore)
                        .findFirst()
                        .orElse(created);
    }
}
