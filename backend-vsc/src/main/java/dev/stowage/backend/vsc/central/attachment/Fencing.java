package dev.stowage.backend.vsc.central.attachment;

import dev.stowage.backend.vsc.VscSettings;
import dev.stowage.backend.vsc.central.resource.Resources;
import dev.stowage.backend.vsc.central.volume.VscVolumes;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.lane.Lanes;
import dev.stowage.kube.Api;
import dev.stowage.kube.Events;
import dev.stowage.kube.vsc.VscVolumeAttachment;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.TaintBuilder;
import io.fabric8.kubernetes.api.model.storage.VolumeAttachment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shuts a lost node out of the volumes that it had.
 *
 * <p>Kubernetes has no news of a lost node; it may well go on writing. When the arrays have ended its connections and confirmed that
 * nothing of it is in flight, its volumes can go elsewhere. Pods move when Kubernetes lets them: at once when somebody, or we if told
 * to, declares the node out of service.
 */
public final class Fencing {

    /** On an attachment whose node has no access any more, with the time since when. */
    static final String FENCED = "storage.stowage.dev/fenced";

    private static final Logger LOG = LoggerFactory.getLogger(Fencing.class);
    private static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";

    private final Resources resources;
    private final AttachmentKeeper keeper;
    private final KubernetesClient client;
    private final VscSettings settings;
    private final Events events;
    private final Lanes lanes;
    /** Since when a node has been seen as lost, by the clock of this process. */
    private final Map<String, Long> lostSince = new ConcurrentHashMap<>();

    public Fencing(
            Resources resources,
            AttachmentKeeper keeper,
            KubernetesClient client,
            VscSettings settings,
            Events events,
            Lanes lanes) {
        this.resources = resources;
        this.keeper = keeper;
        this.client = client;
        this.settings = settings;
        this.events = events;
        this.lanes = lanes;
    }

    static boolean isFenced(VscVolumeAttachment attachment) {
        var annotations = attachment.getMetadata().getAnnotations();
        return annotations != null && annotations.containsKey(FENCED);
    }

    /** @return whether there is nothing more to do about the node for now */
    public boolean look(Node node) {
        String name = node.getMetadata().getName();
        boolean out = outOfService(node);
        if (!out && !silent(node)) {
            lostSince.remove(name);
            return true;
        }
        long since = lostSince.computeIfAbsent(name, key -> System.nanoTime());
        if (!out && System.nanoTime() - since < settings.fencing().after().toNanos()) {
            return false;
        }
        var open = resources.attachments().by(Resources.BY_NODE, name).stream()
                .filter(attachment -> !isFenced(attachment))
                .toList();
        boolean all = open.stream().map(attachment -> fence(node, attachment)).reduce(true, Boolean::logicalAnd);
        if (all && settings.fencing().taint() && !out) {
            taint(node);
        }
        return all;
    }

    private boolean fence(Node node, VscVolumeAttachment attachment) {
        String volumeName = attachment.getSpec().volumeName();
        try (var _ = lanes.enter("fencing", VscVolumes.lane(volumeName))) {
            var current = resources.attachments().find(AttachmentKeeper.name(attachment));
            var volume = resources.volumes().find(volumeName);
            if (current.isEmpty() || volume.isEmpty() || isFenced(current.get())) {
                return true;
            }
            keeper.fence(current.get(), volume.get());
            var fenced = resources
                    .attachments()
                    .annotate(
                            current.get(),
                            FENCED,
                            Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
            events.warning(
                    fenced,
                    "Fenced",
                    "node %s is lost; the array has ended its access to volume %s"
                            .formatted(node.getMetadata().getName(), volumeName));
            return true;
        } catch (StowageException notYet) {
            LOG.warn(
                    "node {} is lost and cannot be shut out of volume {} yet, which therefore stays where it is: {}",
                    node.getMetadata().getName(),
                    volumeName,
                    notYet.getMessage());
            return false;
        }
    }

    /** Only when nothing on the node can be written any more: pods that move must not meet their own shadow. */
    private void taint(Node node) {
        String name = node.getMetadata().getName();
        var ours = resources.attachments().by(Resources.BY_NODE, name).stream()
                .filter(Fencing::isFenced)
                .map(attachment -> attachment.getSpec().volumeName())
                .collect(Collectors.toSet());
        var others = Api.call(
                        "attachments of node " + name,
                        () -> client.storage().v1().volumeAttachments().list().getItems())
                .stream()
                .filter(attachment -> attachment.getSpec().getNodeName().equals(name))
                .filter(attachment -> !isOurs(attachment, ours))
                .map(attachment -> attachment.getMetadata().getName())
                .toList();
        if (!others.isEmpty()) {
            LOG.warn("node {} is not declared out of service: volumes of others are attached to it: {}", name, others);
            return;
        }
        var _ = Api.call(
                "node " + name,
                () -> client.nodes()
                        .withName(name)
                        .edit(found -> outOfService(found)
                                ? found
                                : new NodeBuilder(found)
                                        .editSpec()
                                        .addToTaints(new TaintBuilder()
                                                .withKey(OUT_OF_SERVICE)
                                                .withValue("nodeshutdown")
                                                .withEffect("NoExecute")
                                                .build())
                                        .endSpec()
                                        .build()));
        events.warning(
                node,
                "OutOfService",
                "the node is lost and shut out of all its volumes; declared out of service so that its pods move. Take the taint"
                        + " away when the node was restarted");
    }

    private boolean isOurs(VolumeAttachment attachment, Set<String> fenced) {
        if (!attachment.getSpec().getAttacher().equals(settings.driverName())) {
            return false;
        }
        String volume = attachment.getSpec().getSource().getPersistentVolumeName();
        var found = volume == null
                ? null
                : Api.call(
                        "persistent volume " + volume,
                        () -> client.persistentVolumes().withName(volume).get());
        return found != null
                && found.getSpec().getCsi() != null
                && fenced.contains(found.getSpec().getCsi().getVolumeHandle());
    }

    /** Kubernetes has heard nothing of it. A node that says itself that it is not ready is there, and keeps its volumes. */
    private static boolean silent(Node node) {
        var conditions = node.getStatus() == null
                ? List.<NodeCondition>of()
                : node.getStatus().getConditions();
        return conditions.stream()
                .anyMatch(condition -> condition.getType().equals("Ready")
                        && condition.getStatus().equals("Unknown"));
    }

    private static boolean outOfService(Node node) {
        return node.getSpec() != null
                && node.getSpec().getTaints().stream()
                        .anyMatch(taint -> taint.getKey().equals(OUT_OF_SERVICE));
    }
}
