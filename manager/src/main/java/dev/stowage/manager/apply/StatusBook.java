package dev.stowage.manager.apply;

import dev.stowage.core.error.StowageException;
import dev.stowage.kube.Api;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;

/** Writes what a resource is like, and only when it is not written there already. */
public final class StatusBook {

    private final KubernetesClient client;

    public StatusBook(KubernetesClient client) {
        this.client = client;
    }

    /** @return whether it was another */
    public <S, R extends CustomResource<?, S>> boolean write(R resource, S now) {
        if (now.equals(resource.getStatus())) {
            return false;
        }
        var changed = client.getKubernetesSerialization().clone(resource);
        changed.setStatus(now);
        String what = Adoption.named(resource);
        if (Api.attempt(what, () -> client.resource(changed).updateStatus()).isEmpty()) {
            throw StowageException.unavailable("%s has changed meanwhile", what);
        }
        return true;
    }
}
