package dev.stowage.backend.local.cluster.node;

import dev.stowage.backend.local.LocalSettings;
import dev.stowage.backend.local.cluster.ClusterSettings;
import dev.stowage.backend.local.cluster.order.Ownership;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fulfils the orders for this node, and tells at every beat that it does, how its pool is, and now and then how its volumes are. */
final class Reporting implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Reporting.class);
    private static final int BEATS_BETWEEN_HEALTH = 3;

    private final KubernetesClient client;
    private final String node;
    private final VolumeFulfiller volumes;
    private final SnapshotFulfiller snapshots;
    private final GroupFulfiller groups;
    private final SignOfLife life;
    private final PoolReport report;
    private final HealthReport health;
    private final ScheduledExecutorService beats = Executors.newScheduledThreadPool(
            2, Thread.ofPlatform().daemon().name("cluster-", 0).factory());
    private final Duration beat;
    private final AtomicBoolean reportAsked = new AtomicBoolean();
    private volatile List<OwnerReference> owners = List.of();
    private long beatsSoFar;

    Reporting(ClusterSettings cluster, LocalSettings settings, KubernetesClient client, NodePool pool) {
        this.client = client;
        this.node = settings.node().value();
        var recipient = new Fulfiller.Recipient(new Ownership(cluster.driverName()), node);
        this.volumes = new VolumeFulfiller(client, recipient, pool, this::poolChanged);
        this.snapshots = new SnapshotFulfiller(client, recipient, pool, this::poolChanged);
        this.groups = new GroupFulfiller(client, recipient, pool, this::poolChanged);
        this.life = new SignOfLife(client, cluster, node);
        this.report =
                new PoolReport(client, settings, cluster.version(), pool, new Claims(pool, volumes, snapshots, groups));
        this.health = new HealthReport(pool, volumes);
        this.beat = cluster.beat();
        beats.execute(this::start);
    }

    /** Only who knows all orders answers. */
    private void start() {
        if (volumes.filled() && snapshots.filled() && groups.filled()) {
            var _ = beats.scheduleAtFixedRate(
                    () -> attempt("sign of life", this::beat), 0, beat.toMillis(), TimeUnit.MILLISECONDS);
        } else {
            beats.schedule(this::start, 50, TimeUnit.MILLISECONDS);
        }
    }

    /** The pool is told first, so that whoever finds the node alive finds its pool too. */
    private void beat() {
        if (owners.isEmpty()) {
            owners = node();
        }
        report.tell(owners);
        life.give(owners);
        if (beatsSoFar++ % BEATS_BETWEEN_HEALTH == 0) {
            beats.execute(() -> attempt("health of volumes", health::tell));
        }
    }

    /** The node's own object; what it owns goes when it is removed from the cluster. Where there is none, nothing is owned. */
    private List<OwnerReference> node() {
        var found = client.nodes().withName(node).get();
        return found == null
                ? List.of()
                : List.of(new OwnerReferenceBuilder()
                        .withApiVersion("v1")
                        .withKind("Node")
                        .withName(node)
                        .withUid(found.getMetadata().getUid())
                        .build());
    }

    /** Of many changes at once, the pool is told once. */
    private void poolChanged() {
        if (reportAsked.compareAndSet(false, true)) {
            try {
                beats.schedule(
                        () -> {
                            reportAsked.set(false);
                            attempt("state of the pool", () -> report.tell(owners));
                        },
                        200,
                        TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException closing) {
                log.debug("the last changes of the pool are told after the next start");
            }
        }
    }

    /** What cannot be told now is told at the next beat. */
    private static void attempt(String what, Runnable telling) {
        try {
            telling.run();
        } catch (KubernetesClientException unreachable) {
            log.warn("the {} could not be told to the Kubernetes API server now: {}", what, unreachable.getMessage());
        } catch (RuntimeException failure) {
            log.error("the {} could not be told", what, failure);
        }
    }

    @Override
    public void close() {
        beats.shutdownNow();
        volumes.close();
        snapshots.close();
        groups.close();
        client.close();
    }
}
