package dev.stowage.backend.local.cluster.central;

import dev.stowage.backend.local.cluster.ClusterSettings;
import dev.stowage.core.error.StowageException;
import dev.stowage.kube.Cache;
import dev.stowage.kube.local.LocalResources;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes answer. Each renews a Lease; one that was not renewed for too long belongs to a node that is down, or cut off.
 *
 * <p>Nodes' clocks are not compared with ours: what counts is how long we have seen no renewal. Only for a Lease that we see for the
 * first time its own time is all there is. While we cannot see, no node grows silent.
 */
final class NodeWatch implements AutoCloseable {

    private record Life(String version, Optional<ZonedDateTime> renewed, long seen) {}

    private final Map<String, Life> lives = new ConcurrentHashMap<>();
    private final Duration limit;
    private final Notice notice;
    private final Cache<Lease> leases;
    private final ScheduledExecutorService ticks;
    private volatile long blindUntil;

    NodeWatch(ClusterSettings settings, KubernetesClient client, Notice notice) {
        this.limit = settings.silenceLimit();
        this.notice = notice;
        this.blindUntil = System.nanoTime() - limit.toNanos();
        this.leases = Cache.start(
                client.leases()
                        .inNamespace(settings.namespace())
                        .withLabel(LocalResources.DRIVER_LABEL, settings.driverName()),
                Map.of(),
                Duration.ZERO,
                new Changes(),
                reason -> {});
        this.ticks = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("node-watch").factory());
        var _ = ticks.scheduleAtFixedRate(this::tick, 1, 1, TimeUnit.SECONDS);
    }

    /** A waiting call has to notice that time goes by. */
    private void tick() {
        if (leases.filled() && !leases.watching()) {
            blindUntil = System.nanoTime();
        }
        notice.give();
    }

    private final class Changes implements Cache.Changes<Lease> {
        @Override
        public void seen(@Nullable Lease before, Lease now) {
            String node = now.getSpec().getHolderIdentity();
            String version = Objects.requireNonNullElse(now.getMetadata().getResourceVersion(), "");
            var renewed = Optional.ofNullable(now.getSpec().getRenewTime());
            if (node != null) {
                lives.compute(node, (name, known) -> {
                    if (known != null && known.version().equals(version)) {
                        return known;
                    }
                    long age = known != null ? 0 : renewed.map(NodeWatch::age).orElse(0L);
                    return new Life(version, renewed, System.nanoTime() - age);
                });
            }
            notice.give();
        }

        @Override
        public void gone(Lease last) {
            String node = last.getSpec().getHolderIdentity();
            if (node != null) {
                lives.remove(node);
            }
            notice.give();
        }
    }

    private static long age(ZonedDateTime renewed) {
        var age = Duration.between(renewed, ZonedDateTime.now(renewed.getZone()));
        return age.isNegative() ? 0 : age.toNanos();
    }

    boolean filled() {
        return leases.filled();
    }

    /** Why the node counts as down, if it does. */
    Optional<String> silence(String node) {
        var life = lives.get(node);
        if (life == null) {
            return Optional.of(
                    "node %s has no driver that answers: it never gave a sign of life, or was removed from the cluster"
                            .formatted(node));
        }
        long silent = System.nanoTime() - Math.max(life.seen(), blindUntil);
        return silent <= limit.toNanos()
                ? Optional.empty()
                : Optional.of("node %s does not answer%s"
                        .formatted(
                                node,
                                life.renewed()
                                        .map(time ->
                                                " since " + time.truncatedTo(java.time.temporal.ChronoUnit.SECONDS))
                                        .orElse("")));
    }

    boolean answers(String node) {
        return silence(node).isEmpty();
    }

    /** Refuses at once what only the node could do. */
    void requireAnswering(String what, String node) {
        silence(node).ifPresent(reason -> {
            throw StowageException.unavailable(
                    "%s: %s. Its volumes and snapshots are on that node and come back with it; bring the node, or the driver on it,"
                            + " back",
                    what, reason);
        });
    }

    @Override
    public void close() {
        ticks.shutdownNow();
        leases.close();
    }
}
