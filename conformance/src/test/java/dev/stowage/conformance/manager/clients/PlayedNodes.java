package dev.stowage.conformance.manager.clients;

import dev.stowage.conformance.pool.Eventually;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeConditionBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.TaintBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Nodes of which nothing is there but what the API server has of them. */
record PlayedNodes(KubernetesClient client) {

    /** A node that is ready. */
    void make(String name, Map<String, String> labels) {
        client.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withLabels(labels)
                        .endMetadata()
                        .build())
                .create();
        say(name, "True");
        // The API server gives every new node a taint, which goes when it is ready.
        taint(name);
    }

    /** What a kubelet says all the time. */
    void heartbeat(String name) {
        say(name, "True");
    }

    /** What becomes of a node whose kubelet says that it is not ready. */
    void failing(String name) {
        say(name, "False");
        taint(name, of("node.kubernetes.io/not-ready", "NoSchedule"), of("node.kubernetes.io/not-ready", "NoExecute"));
    }

    void recovered(String name) {
        say(name, "True");
        taint(name);
    }

    private void say(String name, String ready) {
        String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        client.nodes().withName(name).editStatus(found -> {
            found.getStatus()
                    .setConditions(List.of(new NodeConditionBuilder()
                            .withType("Ready")
                            .withStatus(ready)
                            .withReason("Played")
                            .withLastHeartbeatTime(now)
                            .withLastTransitionTime(now)
                            .build()));
            return found;
        });
    }

    /** @param value nothing to take it away */
    void label(String name, String key, @Nullable String value) {
        edit(name, node -> {
            if (value == null) {
                node.getMetadata().getLabels().remove(key);
            } else {
                node.getMetadata().getLabels().put(key, value);
            }
            return node;
        });
    }

    /** These, and no others. */
    void taint(String name, Taint... taints) {
        edit(name, node -> {
            node.getSpec().setTaints(List.of(taints));
            return node;
        });
    }

    static Taint of(String key, String effect) {
        return new TaintBuilder()
                .withKey(key)
                .withValue("yes")
                .withEffect(effect)
                .build();
    }

    /** As {@code kubectl cordon} and the controller of nodes do it. */
    void cordon(String name) {
        edit(name, node -> {
            node.getSpec().setUnschedulable(true);
            node.getSpec().setTaints(List.of(of("node.kubernetes.io/unschedulable", "NoSchedule")));
            return node;
        });
    }

    void delete(String name) {
        client.nodes().withName(name).delete();
    }

    Map<String, String> labels(String name) {
        return Objects.requireNonNullElse(
                client.nodes().withName(name).get().getMetadata().getLabels(), Map.of());
    }

    Map<String, String> notes(String name) {
        return Objects.requireNonNullElse(
                client.nodes().withName(name).get().getMetadata().getAnnotations(), Map.of());
    }

    /** Takes all annotations away. */
    void forgetNotes(String name) {
        edit(name, node -> {
            node.getMetadata().setAnnotations(Map.of());
            return node;
        });
    }

    private void edit(String name, UnaryOperator<Node> change) {
        // The manager writes it, too, and then this comes too late.
        Eventually.assertThat(() -> client.nodes().withName(name).edit(change));
    }
}
