package dev.stowage.backend.local.cluster.central;

import dev.stowage.kube.Api;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import java.util.Optional;

/** The claims that volumes are made for. A request names its claim if the provisioner is told to ({@code --extra-create-metadata}). */
final class Claims {

    private static final String NAMESPACE = "csi.storage.k8s.io/pvc/namespace";
    private static final String NAME = "csi.storage.k8s.io/pvc/name";
    private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

    private final KubernetesClient client;

    Claims(KubernetesClient client) {
        this.client = client;
    }

    /**
     * The node on which the scheduler wants to start the claim's first pod, if the claim waited for it. The topology of the request
     * does not tell: it has all nodes, so that a copy can be where its source is, and which of them the pod may not run on, nobody
     * but the scheduler knows.
     */
    Optional<String> selectedNode(Map<String, String> parameters) {
        String namespace = parameters.getOrDefault(NAMESPACE, "");
        String name = parameters.getOrDefault(NAME, "");
        if (namespace.isEmpty() || name.isEmpty()) {
            return Optional.empty();
        }
        return Api.<PersistentVolumeClaim>attempt(
                        "claim %s/%s".formatted(namespace, name),
                        () -> client.persistentVolumeClaims()
                                .inNamespace(namespace)
                                .withName(name)
                                .get())
                .map(HasMetadata::getMetadata)
                .map(metadata -> metadata.getAnnotations().get(SELECTED_NODE));
    }
}
