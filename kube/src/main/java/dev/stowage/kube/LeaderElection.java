package dev.stowage.kube;

import dev.stowage.core.error.StowageException;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Of several processes, one leads: the one whose name is in a Lease, as long as it keeps renewing it. Go's client library keeps to the
 * same rules, so that programs of both kinds can stand for one election.
 *
 * <p>Others' clocks are never trusted: a lease has run out when it was seen unchanged for its whole duration.
 */
public final class LeaderElection implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderElection.class);
    private static final Duration WATCH = Duration.ofMillis(200);

    private final NonNamespaceOperation<Lease, LeaseList, Resource<Lease>> leases;
    private final Settings settings;
    private final Runnable elected;
    private final Consumer<String> lost;
    private final Thread candidate;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean leads;
    private volatile long renewed;
    private @Nullable String seenVersion;
    private long seenSince;

    /**
     * The terms of an election.
     *
     * @param identity tells this process from every other
     * @param duration for how long others stay away after the last renewal
     * @param renewDeadline for how long the leader goes on without being able to renew
     * @param retryPeriod how often one tries to become or to stay the leader
     */
    public record Settings(
            String namespace,
            String lease,
            String identity,
            Duration duration,
            Duration renewDeadline,
            Duration retryPeriod,
            Map<String, String> labels) {

        public Settings {
            if (duration.compareTo(renewDeadline) <= 0 || renewDeadline.compareTo(retryPeriod) <= 0) {
                throw StowageException.invalid(
                        "leader election: the lease duration (%s) must be longer than the renew deadline (%s), and that longer"
                                + " than the retry period (%s)",
                        duration, renewDeadline, retryPeriod);
            }
        }
    }

    private LeaderElection(KubernetesClient client, Settings settings, Runnable elected, Consumer<String> lost) {
        this.leases = client.leases().inNamespace(settings.namespace());
        this.settings = settings;
        this.elected = elected;
        this.lost = lost;
        this.candidate = Thread.ofVirtual().name("leader-election").unstarted(this::stand);
    }

    /**
     * Stands for election.
     *
     * @param elected is called once, when this process leads
     * @param lost is told why, when it does not lead any more; it must end everything at once
     */
    public static LeaderElection join(
            KubernetesClient client, Settings settings, Runnable elected, Consumer<String> lost) {
        var election = new LeaderElection(client, settings, elected, lost);
        election.candidate.start();
        return election;
    }

    public boolean leads() {
        return leads;
    }

    /** What is wrong when a leader could not renew for longer than it may lead, plus some tolerance. */
    public Optional<String> problem(Duration tolerance) {
        var silence = Duration.ofNanos(System.nanoTime() - renewed);
        return leads && silence.compareTo(settings.duration().plus(tolerance)) > 0
                ? Optional.of("the lease " + settings.lease() + " was not renewed for " + silence.toSeconds() + " s")
                : Optional.empty();
    }

    private void stand() {
        try {
            while (!closed.get()) {
                step();
                Thread.sleep(settings.retryPeriod());
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private void step() {
        var hold = tryToHold();
        if (closed.get()) {
            return;
        }
        switch (hold) {
            case HELD -> {
                renewed = System.nanoTime();
                if (!leads) {
                    leads = true;
                    LOG.info("{} leads by the lease {}", settings.identity(), name());
                    Thread.ofVirtual().name("leader-election-watch").start(this::watch);
                    elected.run();
                }
            }
            case OTHERS -> {
                if (leads) {
                    lose("somebody else holds it");
                }
            }
            case UNKNOWN -> {}
        }
    }

    /** Apart from the renewals, as one of them may hang. */
    private void watch() {
        try {
            while (!closed.get()) {
                if (System.nanoTime() - renewed > settings.renewDeadline().toNanos()) {
                    lose("it could not be renewed for "
                            + settings.renewDeadline().toSeconds() + " s");
                }
                Thread.sleep(WATCH);
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private void lose(String reason) {
        if (closed.compareAndSet(false, true)) {
            leads = false;
            lost.accept("lost the lease " + name() + ": " + reason);
        }
    }

    private enum Hold {
        HELD,
        OTHERS,
        UNKNOWN
    }

    private Hold tryToHold() {
        try {
            var found = leases.withName(settings.lease()).get();
            if (found == null) {
                leases.resource(held(new LeaseBuilder().build(), true)).create();
                return Hold.HELD;
            }
            if (isHeldByOther(found)) {
                return Hold.OTHERS;
            }
            boolean changesHands = !settings.identity().equals(found.getSpec().getHolderIdentity());
            leases.resource(held(found, changesHands)).lockResourceVersion().update();
            return Hold.HELD;
        } catch (KubernetesClientException failed) {
            LOG.warn("cannot hold the lease {} now, will try again: {}", name(), failed.getMessage());
            return Hold.UNKNOWN;
        }
    }

    private boolean isHeldByOther(Lease found) {
        String version = found.getMetadata().getResourceVersion();
        if (!version.equals(seenVersion)) {
            seenVersion = version;
            seenSince = System.nanoTime();
        }
        String holder = found.getSpec().getHolderIdentity();
        return holder != null
                && !holder.isEmpty()
                && !holder.equals(settings.identity())
                && System.nanoTime() - seenSince < settings.duration().toNanos();
    }

    private Lease held(Lease before, boolean changesHands) {
        var now = now();
        var spec = before.getSpec();
        var transitions = spec == null ? null : spec.getLeaseTransitions();
        int count = transitions == null ? 0 : transitions;
        var lease = new LeaseBuilder(before)
                .editOrNewMetadata()
                .withName(settings.lease())
                .withNamespace(settings.namespace())
                .addToLabels(settings.labels())
                .endMetadata()
                .editOrNewSpec()
                .withHolderIdentity(settings.identity())
                .withLeaseDurationSeconds((int) settings.duration().toSeconds())
                .withRenewTime(now)
                .withLeaseTransitions(changesHands && spec != null ? count + 1 : count)
                .endSpec()
                .build();
        if (changesHands) {
            lease.getSpec().setAcquireTime(now);
        }
        return lease;
    }

    private static ZonedDateTime now() {
        return ZonedDateTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.MICROS);
    }

    private String name() {
        return settings.namespace() + "/" + settings.lease();
    }

    /** Leaves the lease to others at once. Nothing that only a leader may do can be under way any more. */
    @Override
    public void close() {
        boolean held = closed.compareAndSet(false, true) && leads;
        leads = false;
        try {
            candidate.interrupt();
            candidate.join();
            if (held) {
                release();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (KubernetesClientException failed) {
            LOG.warn("cannot leave the lease {} to others, it has to run out: {}", name(), failed.getMessage());
        }
    }

    private void release() {
        var found = leases.withName(settings.lease()).get();
        if (found != null && settings.identity().equals(found.getSpec().getHolderIdentity())) {
            found.getSpec().setHolderIdentity("");
            found.getSpec().setLeaseDurationSeconds(1);
            found.getSpec().setRenewTime(now());
            leases.resource(found).lockResourceVersion().update();
            LOG.info("left the lease {} to others", name());
        }
    }
}
