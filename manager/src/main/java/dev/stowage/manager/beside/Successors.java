package dev.stowage.manager.beside;

import dev.stowage.kube.Api;
import dev.stowage.manager.apply.Adoption;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Whether the API server would take pods that are to come in the place of others, asked before those end. For one pass. */
public final class Successors {

    private final KubernetesClient client;
    private final Placement placement;

    /** Why not, by the template: what one is refused for, others are as well, and thousands of them are not asked for one by one. */
    private final Map<String, String> refused = new HashMap<>();

    Successors(KubernetesClient client, Placement placement) {
        this.client = client;
        this.placement = placement;
    }

    /** Why a pod cannot be made, whether one of its name is there or not; nothing when it can. */
    public Optional<String> refusal(Pod wanted) {
        String template = placement.template(wanted);
        String known = refused.get(template);
        if (known != null) {
            return Optional.of(known);
        }
        var refusal = ask(wanted);
        refusal.ifPresent(why -> refused.put(template, why));
        return refusal;
    }

    private Optional<String> ask(Pod wanted) {
        try {
            client.resource(wanted).dryRun().create();
            return Optional.empty();
        } catch (KubernetesClientException failed) {
            // It is looked at whether it makes sense, and is allowed, before it is looked at whether it is there
            // already.
            return failed.getCode() == HttpURLConnection.HTTP_CONFLICT
                    ? Optional.empty()
                    : Optional.of(
                            "%s stays as it was, because the Kubernetes API server would not take it as it is to be (%s); correct what it is made of, or what refuses it"
                                    .formatted(Adoption.named(wanted), Api.reason(failed)));
        }
    }
}
