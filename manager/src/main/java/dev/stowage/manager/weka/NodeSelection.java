package dev.stowage.manager.weka;

import dev.stowage.kube.weka.WekaClient;
import io.fabric8.kubernetes.api.model.Node;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The nodes that a client is to run on. */
final class NodeSelection {

    private NodeSelection() {}

    /** In the order of their names. */
    static List<String> of(WekaClient client, Collection<Node> nodes) {
        var selector = Objects.requireNonNullElse(client.getSpec().nodeSelector(), Map.<String, String>of());
        var tolerations = Tolerations.of(client.getSpec());
        return nodes.stream()
                .filter(node -> node.getMetadata().getDeletionTimestamp() == null)
                .filter(node -> labels(node).entrySet().containsAll(selector.entrySet()))
                .filter(node -> Tolerations.obstacle(node, tolerations).isEmpty())
                .map(node -> node.getMetadata().getName())
                .sorted()
                .toList();
    }

    static Map<String, String> labels(Node node) {
        return Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.of());
    }
}
