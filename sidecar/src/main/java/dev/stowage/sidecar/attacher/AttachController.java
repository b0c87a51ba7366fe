package dev.stowage.sidecar.attacher;

import dev.stowage.kube.Cache;
import dev.stowage.kube.work.WorkQueue;
import dev.stowage.sidecar.csi.DriverConnection;
import dev.stowage.sidecar.csi.DriverFeatures;
import dev.stowage.sidecar.csi.DriverWatch;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows VolumeAttachments and what they depend on, and has done what is to be done. */
final class AttachController {

    private static final Logger LOG = LoggerFactory.getLogger(AttachController.class);

    private final AttacherSettings settings;
    private final Cluster cluster;
    private final Events events = new Events();
    private final WorkQueue queue;
    private final Work work;
    private final AttachCalls calls;
    private final DriverWatch watch;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().name("repair").daemon().unstarted(task));
    private volatile boolean closed;

    private AttachController(
            AttacherSettings settings,
            KubernetesClient client,
            DriverConnection driver,
            DriverFeatures features,
            Consumer<String> cannotGoOn) {
        this.settings = settings;
        this.cluster = follow(client, features.name(), cannotGoOn);
        var records = new AttachmentRecords(client, new Names(features.name()).finalizer(), settings.tellsCodes());
        this.calls = new AttachCalls(
                driver, features, settings.timeout(), settings.defaultFilesystem(), settings.entriesPerPage());
        this.work = new Work(
                cluster,
                records,
                Optional.of(new Attaching(cluster, records, calls)).filter(does -> features.attaches()),
                Optional.of(new Detaching(cluster, records, calls)).filter(does -> features.attaches()));
        this.queue = new WorkQueue(settings.workers(), settings.backoff(), work::laneOf, work);
        this.watch = DriverWatch.start(driver, features, settings.timeout(), queue::wakeAll, cannotGoOn);
    }

    /**
     * Starts to work.
     *
     * @param cannotGoOn is told why, when only a new start helps
     * @param givenUp asks whether nobody waits for the start any more
     */
    static AttachController start(
            AttacherSettings settings,
            KubernetesClient client,
            DriverConnection driver,
            DriverFeatures features,
            Consumer<String> cannotGoOn,
            BooleanSupplier givenUp)
            throws InterruptedException {
        var controller = new AttachController(settings, client, driver, features, cannotGoOn);
        if (!controller.cluster.awaitKnown(givenUp)) {
            return controller;
        }
        controller.events.open(controller.queue, controller.cluster);
        if (features.attaches() && features.listsPublishedNodes()) {
            controller.repairRegularly();
        }
        LOG.info(
                "attaching for {}: {}",
                features.name(),
                features.attaches() ? "as the driver does it" : "the driver attaches nothing, which is said at once");
        return controller;
    }

    private Cluster follow(KubernetesClient client, String driver, Consumer<String> cannotGoOn) {
        Consumer<String> stopped = reason -> {
            if (!closed) {
                cannotGoOn.accept(reason);
            }
        };
        var again = settings.resync();
        return new Cluster(
                client,
                driver,
                Cache.start(
                        client.storage().v1().volumeAttachments(),
                        Map.of(
                                Cluster.BY_VOLUME,
                                Events::volumeOf,
                                Cluster.BY_NODE,
                                attachment -> List.of(attachment.getSpec().getNodeName())),
                        again,
                        events.ofAttachments(),
                        stopped),
                Cache.start(client.persistentVolumes(), Map.of(), again, events.ofVolumes(), stopped),
                Cache.start(client.storage().v1().csiNodes(), Map.of(), again, events.ofNodes(), stopped));
    }

    private void repairRegularly() {
        var repair = new Repair(cluster, calls, name -> {
            work.distrust(name);
            queue.add(Work.onAttachment(name));
        });
        long period = settings.reconcile().toMillis();
        var _ = clock.scheduleWithFixedDelay(
                () -> {
                    try {
                        repair.run();
                    } catch (RuntimeException failed) {
                        LOG.error("comparing attachments with the driver's listing failed, will try again", failed);
                    }
                },
                period,
                period,
                TimeUnit.MILLISECONDS);
    }

    WorkQueue queue() {
        return queue;
    }

    /**
     * Begins nothing new and lets what is under way finish.
     *
     * @return whether it finished, so that somebody else may take over at once
     */
    boolean close() throws InterruptedException {
        closed = true;
        events.close();
        clock.shutdownNow();
        watch.close();
        boolean finished = queue.close(settings.timeout());
        cluster.attachments().close();
        cluster.volumes().close();
        cluster.nodes().close();
        return finished;
    }
}
