package dev.stowage.conformance.manager.clients;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.HttpURLConnection;
import java.util.Objects;

/** Stands in for the controller of Deployments: it says that all of a Deployment's pods run. */
final class PlayedDeployments implements ResourceEventHandler<Deployment>, AutoCloseable {

    private final KubernetesClient client;
    private final SharedIndexInformer<Deployment> deployments;

    PlayedDeployments(KubernetesClient client) {
        this.client = client;
        deployments = client.apps().deployments().inAnyNamespace().inform(this);
    }

    @Override
    public void onAdd(Deployment now) {
        var generation = now.getMetadata().getGeneration();
        if (now.getMetadata().getDeletionTimestamp() != null
                || Objects.equals(now.getStatus().getObservedGeneration(), generation)) {
            return;
        }
        int replicas = now.getSpec().getReplicas();
        try {
            client.resource(now).editStatus(found -> {
                found.setStatus(new DeploymentStatusBuilder()
                        .withObservedGeneration(generation)
                        .withReplicas(replicas)
                        .withUpdatedReplicas(replicas)
                        .withReadyReplicas(replicas)
                        .withAvailableReplicas(replicas)
                        .addNewCondition()
                        .withType("Available")
                        .withStatus("True")
                        .withReason("Played")
                        .endCondition()
                        .build());
                return found;
            });
        } catch (KubernetesClientException refused) {
            if (refused.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw refused;
            }
        }
    }

    @Override
    public void onUpdate(Deployment before, Deployment now) {
        onAdd(now);
    }

    @Override
    public void onDelete(Deployment last, boolean unknown) {
        // What is gone needs nothing.
    }

    @Override
    public void close() {
        deployments.stop();
    }
}
