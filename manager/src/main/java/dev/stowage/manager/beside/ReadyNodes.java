package dev.stowage.manager.beside;

import dev.stowage.kube.Api;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/** Which nodes are of use. */
public final class ReadyNodes {

    private ReadyNodes() {}

    /** Whether its kubelet has told lately that it works. */
    public static boolean ready(Node node) {
        return node.getStatus() != null
                && Objects.requireNonNullElse(node.getStatus().getConditions(), List.<NodeCondition>of()).stream()
                        .anyMatch(condition -> condition.getType().equals("Ready")
                                && condition.getStatus().equals("True"));
    }

    /** By name, for who follows no nodes. One that is not there is not ready. */
    public static Predicate<String> asked(KubernetesClient client) {
        return name -> {
            Node node =
                    Api.call("node " + name, () -> client.nodes().withName(name).get());
            return node != null && ready(node);
        };
    }
}
