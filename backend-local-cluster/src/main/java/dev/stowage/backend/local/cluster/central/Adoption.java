package dev.stowage.backend.local.cluster.central;

import dev.stowage.backend.local.cluster.order.Ownership;
import dev.stowage.core.error.StowageException;
import dev.stowage.kube.Api;
import dev.stowage.kube.Cache;
import dev.stowage.kube.local.LocalGroupSnapshot;
import dev.stowage.kube.local.LocalPool;
import dev.stowage.kube.local.LocalResources;
import dev.stowage.kube.local.LocalSnapshot;
import dev.stowage.kube.local.LocalVolume;
import dev.stowage.kube.local.Order;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a label to what this driver made when a cluster had one driver and resources had no label.
 *
 * <p>Not only at the start: while a new version takes the place of an old one, the old one goes on to make resources without a label.
 * What carries a label, whoever's, is never touched, and a resource that changed since it was looked at is looked at again.
 */
final class Adoption implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Adoption.class);
    private static final Duration AFTER_A_FAILURE = Duration.ofSeconds(2);
    private static final Duration WITHOUT_NEWS = Duration.ofMinutes(1);

    private final KubernetesClient client;
    private final Ownership ownership;
    private final Notice notice = new Notice();
    private final Unlabelled<LocalPool> pools;
    private final List<Unlabelled<? extends CustomResource<? extends Order, ?>>> orders;
    private final CompletableFuture<Boolean> settled = new CompletableFuture<>();
    private final Thread thread;
    private volatile @Nullable String trouble;

    Adoption(KubernetesClient client, Ownership ownership) {
        this.client = client;
        this.ownership = ownership;
        this.pools = unlabelled(LocalPool.class);
        this.orders = List.of(
                unlabelled(LocalVolume.class), unlabelled(LocalSnapshot.class), unlabelled(LocalGroupSnapshot.class));
        this.thread = Thread.ofPlatform().daemon().name("adoption").start(this::run);
    }

    /** What of one kind has no label. */
    private record Unlabelled<R extends HasMetadata>(Class<R> type, Cache<R> cache) {}

    private <R extends HasMetadata> Unlabelled<R> unlabelled(Class<R> type) {
        return new Unlabelled<>(
                type,
                Cache.start(
                        client.resources(type).withoutLabel(LocalResources.DRIVER_LABEL),
                        Map.of(),
                        Duration.ZERO,
                        new Noticed<>(notice),
                        reason -> {}));
    }

    /** Is done as soon as everything of ours that was there at the start has its label. */
    CompletableFuture<Boolean> settled() {
        return settled;
    }

    /** Why it is not done yet. */
    Optional<String> trouble() {
        return settled.isDone()
                ? Optional.empty()
                : Optional.of("the resources of local.stowage.dev that have no label yet are being looked at"
                        + (trouble == null ? "" : ": " + trouble));
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                long mark = notice.mark();
                notice.await(mark, look());
            }
        } catch (StowageException interrupted) {
            log.debug("resources without a label are not looked at any more");
        }
    }

    /** @return after which time to look again, even if there is no news */
    private Duration look() {
        try {
            if (!filled()) {
                return Duration.ofMillis(50);
            }
            if (!adopt()) {
                settled.complete(true);
                return WITHOUT_NEWS;
            }
        } catch (RuntimeException failed) {
            trouble = failed.getMessage();
            log.warn("resources without a label could not be given one, will be tried again: {}", failed.getMessage());
        }
        return AFTER_A_FAILURE;
    }

    private boolean filled() {
        return pools.cache().filled()
                && orders.stream().allMatch(kind -> kind.cache().filled());
    }

    /** @return whether there was anything of ours; what got its label is not seen here any more soon, which is news */
    private boolean adopt() {
        boolean any = adopt(pools, ownership::isMyPool);
        if (orders.stream().allMatch(kind -> kind.cache().all().isEmpty())) {
            return any;
        }
        Map<String, LocalPool> byName =
                Api.call("pools", () -> client.resources(LocalPool.class).list().getItems()).stream()
                        .collect(Collectors.toMap(pool -> pool.getMetadata().getName(), Function.identity()));
        for (var kind : orders) {
            any |= adoptOrders(kind, byName);
        }
        return any;
    }

    private <R extends CustomResource<? extends Order, ?>> boolean adoptOrders(
            Unlabelled<R> kind, Map<String, LocalPool> pools) {
        return adopt(
                kind,
                order -> ownership.isMyOrder(
                        Optional.ofNullable(pools.get(order.getSpec().node()))));
    }

    private <R extends HasMetadata> boolean adopt(Unlabelled<R> kind, Predicate<R> mine) {
        var found = kind.cache().all().stream().filter(mine).toList();
        found.forEach(resource -> label(kind.type(), resource));
        return !found.isEmpty();
    }

    private <R extends HasMetadata> void label(Class<R> type, R resource) {
        String name = resource.getMetadata().getName();
        var labelled = client.getKubernetesSerialization().clone(resource);
        labelled.setMetadata(ownership.named(resource.getMetadata()));
        Api.attempt(
                        "%s %s without a label".formatted(resource.getKind(), name),
                        () -> client.resources(type)
                                .resource(labelled)
                                .lockResourceVersion()
                                .update())
                .ifPresent(done -> log.info(
                        "{} {} had no label and is of this driver, {}", done.getKind(), name, ownership.driver()));
    }

    @Override
    public void close() {
        thread.interrupt();
        pools.cache().close();
        orders.forEach(kind -> kind.cache().close());
    }
}
