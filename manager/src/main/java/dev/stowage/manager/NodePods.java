package dev.stowage.manager;

import dev.stowage.kube.Api;
import dev.stowage.kube.Cache;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.manager.apply.Adoption;
import dev.stowage.manager.apply.Children;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The pods of a driver on nodes. */
final class NodePods {

    private final KubernetesClient client;
    private final Cache<Pod> pods;

    NodePods(KubernetesClient client, Cache<Pod> pods) {
        this.client = client;
        this.pods = pods;
    }

    /** Those that have a node, in the order of their names. */
    List<Pod> of(DaemonSet set) {
        var marks = set.getSpec().getTemplate().getMetadata().getLabels();
        boolean marked = marks != null && marks.containsKey(CsiDriverDeployment.OWNER_NAME);
        return (marked ? cached(set) : ask(set))
                .stream()
                        .filter(pod -> pod.getSpec().getNodeName() != null)
                        .sorted(Comparator.comparing(pod -> pod.getSpec().getNodeName()))
                        .toList();
    }

    private List<Pod> cached(DaemonSet set) {
        return DeploymentOwnership.LABELS.owner(set).stream()
                .flatMap(owner -> pods.by(Children.BY_OWNER, owner).stream())
                .filter(pod -> pod.getMetadata().getLabels().containsKey(CsiDriverDeployment.DAEMON_SET))
                .toList();
    }

    /** Those of an adopted driver do not have our labels before it changes for the first time. */
    private List<Pod> ask(DaemonSet set) {
        return Api.call(
                Adoption.named(set),
                () -> client.pods()
                        .inNamespace(set.getMetadata().getNamespace())
                        .withLabelSelector(set.getSpec().getSelector())
                        .list()
                        .getItems());
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
