package dev.stowage.backend.local.cluster.central;

import dev.stowage.backend.local.cluster.order.Ownership;
import dev.stowage.kube.Cache;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * What of a cluster is this driver's.
 *
 * @param adopted when everything of ours can be told by its label; only then it can be selected
 */
record Estate(KubernetesClient client, Ownership ownership, CompletableFuture<?> adopted) {

    /** All resources of one kind that are ours. */
    <R extends HasMetadata> Cache<R> cache(
            Class<R> type, Map<String, Function<R, List<String>>> indexes, Cache.Changes<R> changes) {
        return Cache.startAfter(
                adopted,
                client.resources(type).withLabels(ownership.selector()),
                indexes,
                Duration.ZERO,
                changes,
                reason -> {});
    }
}
