package dev.stowage.backend.vsc.central;

import dev.stowage.backend.vsc.central.resource.Resources;
import dev.stowage.core.error.StowageException;
import dev.stowage.kube.work.Backoff;
import dev.stowage.kube.work.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Everything that is to be done without being asked by CSI, by kind of object. It begins when this process leads. */
final class Reconcilers implements Resources.Listeners, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Reconcilers.class);
    private static final int AT_ONCE = 32;
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(10);

    static final String ARRAY = "array";
    static final String CLASS = "class";
    static final String VOLUME = "volume";
    static final String EXTERNAL_VOLUME = "external volume";
    static final String SNAPSHOT = "snapshot";
    static final String ATTACHMENT = "attachment";
    static final String NODE = "node";
    static final String LOGINS = "logins to array";

    private final Map<String, WorkQueue> queues = new ConcurrentHashMap<>();
    private final BooleanSupplier leads;
    private final BooleanSupplier knows;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().name("vsc-clock").daemon().unstarted(task));

    /**
     * Nothing to do yet.
     *
     * @param leads whether this process may do anything; when it begins to, everything is added again
     * @param knows whether it knows what there is
     */
    Reconcilers(BooleanSupplier leads, BooleanSupplier knows) {
        this.leads = leads;
        this.knows = knows;
    }

    /** What is to be done about the objects of a kind, and how soon again after a failure. */
    void register(String kind, Backoff backoff, WorkQueue.Work work) {
        queues.put(
                kind,
                new WorkQueue(AT_ONCE, backoff, object -> Optional.empty(), object -> attempt(kind, object, work)));
    }

    private boolean attempt(String kind, String object, WorkQueue.Work work) {
        if (!leads.getAsBoolean()) {
            return true;
        }
        if (!knows.getAsBoolean()) {
            return false;
        }
        try {
            return work.apply(object);
        } catch (StowageException failed) {
            LOG.info("{} {}: will try again: {}", kind, object, failed.getMessage());
            return false;
        }
    }

    void add(String kind, String object) {
        var queue = queues.get(kind);
        if (queue != null) {
            queue.add(object);
        }
    }

    /** What has failed before may work now. */
    void wake(String kind) {
        var queue = queues.get(kind);
        if (queue != null) {
            queue.wakeAll();
        }
    }

    /** Does something now and then, if this process may. */
    void every(Duration interval, Runnable task) {
        var _ = clock.scheduleWithFixedDelay(
                () -> {
                    if (leads.getAsBoolean() && knows.getAsBoolean()) {
                        Thread.ofVirtual().name("vsc-periodic").start(() -> attempt(task));
                    }
                },
                interval.toMillis(),
                interval.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    private static void attempt(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException failed) {
            LOG.warn("what is done now and then failed, and is done again at its next time", failed);
        }
    }

    @Override
    public void classChanged(String name) {
        add(CLASS, name);
    }

    @Override
    public void arrayChanged(String name) {
        add(ARRAY, name);
    }

    @Override
    public void volumeChanged(String name) {
        add(VOLUME, name);
    }

    @Override
    public void externalVolumeChanged(String name) {
        add(EXTERNAL_VOLUME, name);
    }

    @Override
    public void snapshotChanged(String name) {
        add(SNAPSHOT, name);
    }

    @Override
    public void attachmentChanged(String name) {
        add(ATTACHMENT, name);
    }

    @Override
    public void close() {
        clock.shutdownNow();
        for (var queue : List.copyOf(queues.values())) {
            try {
                if (!queue.close(STOP_PATIENCE)) {
                    LOG.warn("some work on arrays is still under way; whoever leads next goes on with it");
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
