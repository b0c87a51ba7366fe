package dev.stowage.conformance.manager;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;

/** A driver that was installed by Helm or by hand, and would be deployed in the same way. */
record ByHand(KubernetesClient client, Deployed like, Deployed where) {

    private static final String NODES = "my-nodes";
    private static final String CONTROLLER = "my-controller";

    /** Names, labels and selector are those that somebody else has chosen. */
    private static final Map<String, String> CHOSEN = Map.of("app", "by-hand");

    /** Nothing of it is there yet, but for what it is to be like, which is a deployment of its own. */
    static ByHand prepared(KubernetesClient client) {
        return new ByHand(client, Deployed.whole(client), Deployed.nothing(client));
    }

    DaemonSet nodes() {
        var set = like.node().get();
        set.setMetadata(metadata(NODES));
        set.setStatus(null);
        set.getSpec().getSelector().setMatchLabels(CHOSEN);
        set.getSpec().getTemplate().getMetadata().setLabels(CHOSEN);
        rename(set.getSpec().getTemplate().getSpec());
        return client.resource(set).create();
    }

    Deployment controller() {
        var deployment = like.controller().get();
        deployment.setMetadata(metadata(CONTROLLER));
        deployment.setStatus(null);
        deployment.getSpec().getSelector().setMatchLabels(CHOSEN);
        deployment.getSpec().getTemplate().getMetadata().setLabels(CHOSEN);
        return client.resource(deployment).create();
    }

    private ObjectMeta metadata(String name) {
        return new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(where.namespace())
                .withLabels(Map.of("app.kubernetes.io/managed-by", "Helm"))
                .build();
    }

    /** The driver's name is part of paths on the node. */
    private void rename(PodSpec pod) {
        pod.getVolumes().stream()
                .filter(volume -> volume.getHostPath() != null)
                .forEach(volume -> volume.getHostPath()
                        .setPath(renamed(volume.getHostPath().getPath())));
        pod.getContainers().stream()
                .filter(container -> container.getArgs() != null)
                .forEach(container -> container.setArgs(
                        container.getArgs().stream().map(this::renamed).toList()));
    }

    private String renamed(String text) {
        return text.replace(like.driverName(), where.driverName());
    }

    /** Asks for it to be taken over. */
    Deployed adopt() {
        return where.apply(spec -> spec.put("adopt", Map.of("daemonSet", NODES, "deployment", CONTROLLER)));
    }
}
