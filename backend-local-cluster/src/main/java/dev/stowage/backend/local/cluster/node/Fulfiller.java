package dev.stowage.backend.local.cluster.node;

import dev.stowage.backend.local.cluster.order.Failures;
import dev.stowage.backend.local.cluster.order.Ownership;
import dev.stowage.core.error.StowageException;
import dev.stowage.kube.Api;
import dev.stowage.kube.Cache;
import dev.stowage.kube.local.LocalResources;
import dev.stowage.kube.local.Order;
import dev.stowage.kube.local.Outcome;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fulfils the orders of one kind that name this node.
 *
 * <p>Each wish is fulfilled at least once and answered; the pool's own records make the second time harmless. What was answered is
 * remembered here as well, because what we see of the resources lags behind: a wish that was refused must not be fulfilled later,
 * when its order may have been given up.
 */
abstract class Fulfiller<S extends Order, T extends Outcome, R extends CustomResource<S, T>> implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Fulfiller.class);
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private final KubernetesClient client;
    private final MixedOperation<R, KubernetesResourceList<R>, Resource<R>> resources;
    private final Map<String, Long> answered = new ConcurrentHashMap<>();
    private final WorkQueue queue;
    private final Runnable afterwards;
    private final Cache<R> cache;

    /** Whose orders are meant: those of one driver to one node. */
    record Recipient(Ownership owner, String node) {}

    /** @param afterwards is told that something in the pool may have changed */
    Fulfiller(KubernetesClient client, Class<R> type, String word, Recipient recipient, Runnable afterwards) {
        this.client = client;
        this.resources = client.resources(type);
        this.afterwards = afterwards;
        this.queue = new WorkQueue(word, this::settle);
        this.cache = Cache.start(
                resources.withLabels(recipient.owner().selector()).withField("spec.node", recipient.node()),
                Map.of(),
                Duration.ZERO,
                new Changes(),
                reason -> {});
    }

    private final class Changes implements Cache.Changes<R> {
        @Override
        public void seen(@Nullable R before, R now) {
            queue.add(now.getMetadata().getName());
        }

        @Override
        public void gone(R last) {
            answered.remove(last.getMetadata().getUid());
        }
    }

    /** Makes what is ordered, or finds that it is there; returns the status that describes it. */
    abstract Map<String, @Nullable Object> make(R order);

    /** Does what is asked of what exists; returns the parts of the status that it changed. */
    abstract Map<String, @Nullable Object> work(R order, String id);

    /** Removes what the pool holds for the order; what is not there is fine. */
    abstract void remove(R order);

    /**
     * What the pool has under the name of an order that was never answered, found by asking for it once more. What was made for another
     * wish is somebody else's and stays; what cannot be made any more is not there.
     */
    static <X> Optional<X> ours(Supplier<X> again) {
        try {
            return Optional.of(again.get());
        } catch (StowageException.AlreadyExists | StowageException.NotFound notOurs) {
            return Optional.empty();
        }
    }

    boolean filled() {
        return cache.filled();
    }

    List<R> orders() {
        return cache.all();
    }

    private void settle(String name) {
        var found = cache.find(name);
        if (found.isEmpty() || !found.get().getMetadata().getFinalizers().contains(LocalResources.FINALIZER)) {
            return;
        }
        var order = found.get();
        if (order.isMarkedForDeletion()) {
            removeMarked(order);
        } else if (isOpen(order)) {
            fulfil(order);
            afterwards.run();
        }
    }

    private boolean isOpen(R order) {
        long done = Math.max(
                order.getStatus().attempt(),
                answered.getOrDefault(order.getMetadata().getUid(), 0L));
        return done < order.getSpec().attempt();
    }

    private void fulfil(R order) {
        Map<String, @Nullable Object> status;
        try {
            if (order.getSpec().wantsDeletion()) {
                remove(order);
                release(order);
                return;
            }
            var id = order.getStatus().made();
            status = new HashMap<>(id.isEmpty() ? make(order) : work(order, id.get()));
            status.put("error", null);
        } catch (StowageException refused) {
            status = refusal(refused);
            log.info("{} '{}': {}", order.getKind(), order.getSpec().name(), refused.getMessage());
        }
        status.put("attempt", order.getSpec().attempt());
        tell(order, status);
        answered.put(order.getMetadata().getUid(), order.getSpec().attempt());
    }

    private static Map<String, @Nullable Object> refusal(StowageException refused) {
        var status = new HashMap<String, @Nullable Object>();
        status.put("error", Failures.of(refused));
        return status;
    }

    /** Somebody deleted the resource itself. Its data goes with it, unless it is in use; then that is told until it is not. */
    private void removeMarked(R order) {
        try {
            remove(order);
        } catch (StowageException refused) {
            tell(order, refusal(refused));
            throw refused;
        }
        release(order);
        afterwards.run();
    }

    /** Says that the pool holds nothing for the order any more. */
    private void release(R order) {
        answered.put(order.getMetadata().getUid(), Long.MAX_VALUE);
        var metadata = new HashMap<String, @Nullable Object>();
        metadata.put("uid", order.getMetadata().getUid());
        metadata.put(
                "finalizers",
                order.getMetadata().getFinalizers().stream()
                        .filter(finalizer -> !finalizer.equals(LocalResources.FINALIZER))
                        .toList());
        var _ = Api.attempt(
                order.getSpec().name(),
                () -> resources
                        .withName(order.getMetadata().getName())
                        .patch(MERGE, json(Map.of("metadata", metadata))));
    }

    /** Changes parts of the status, and only of this very resource. */
    final Optional<R> tell(R order, Map<String, @Nullable Object> status) {
        var patch = Map.of("metadata", Map.of("uid", order.getMetadata().getUid()), "status", status);
        return Api.attempt(
                order.getSpec().name(),
                () -> resources
                        .withName(order.getMetadata().getName())
                        .subresource("status")
                        .patch(MERGE, json(patch)));
    }

    private String json(Map<String, ?> patch) {
        return client.getKubernetesSerialization().asJson(patch);
    }

    @Override
    public void close() {
        cache.close();
        queue.close();
    }
}
