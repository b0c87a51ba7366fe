package dev.stowage.sidecar.attacher;

import dev.stowage.core.error.StowageException;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.storage.VolumeAttachment;
import io.grpc.StatusRuntimeException;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings about that a volume is attached. */
final class Attaching {

    private static final Logger LOG = LoggerFactory.getLogger(Attaching.class);

    private final Cluster cluster;
    private final AttachmentRecords records;
    private final AttachCalls calls;

    Attaching(Cluster cluster, AttachmentRecords records, AttachCalls calls) {
        this.cluster = cluster;
        this.records = records;
        this.calls = calls;
    }

    /**
     * Attaches, and says in the attachment's status how that went.
     *
     * @return whether it is attached
     */
    boolean attach(VolumeAttachment attachment) {
        String name = attachment.getMetadata().getName();
        boolean wasAttached = Attachments.isAttached(attachment);
        var credentials = Credentials.NONE;
        String call = "attaching";
        try {
            // As much as possible is checked before a finalizer is set, which somebody would have to remove again.
            var volume = cluster.wantedVolume(attachment);
            var persistent = cluster.persistentVolume(attachment);
            persistent.ifPresent(Attaching::refuseDeleted);
            String nodeId = nodeId(attachment);
            credentials = credentials(volume);
            var request = calls.request(volume, nodeId, credentials);
            persistent.ifPresent(records::keep);
            call = "detaching volume %s from node %s, which is no longer known by that id"
                    .formatted(
                            volume.handle(),
                            Attachments.recordedNodeId(attachment).orElse(""));
            leaveFormerNode(attachment, volume, nodeId, credentials);
            var recorded = records.intent(attachment, intent(volume, nodeId));
            call = "attaching volume %s to node %s".formatted(volume.handle(), nodeId);
            var metadata = calls.attach(request);
            records.attached(recorded, metadata);
            LOG.info("{}: volume {} is attached to node {}", name, volume.handle(), nodeId);
            return true;
        } catch (StatusRuntimeException failed) {
            var failure = Failure.of(call, failed, credentials);
            LOG.warn("{}: {}", name, failure.message());
            records.attachFailed(attachment, failure, wasAttached && !failure.isFinal());
            return false;
        } catch (StowageException refused) {
            LOG.warn("{}: {}", name, refused.getMessage());
            records.attachFailed(attachment, Failure.of(refused), wasAttached);
            return false;
        }
    }

    private static void refuseDeleted(PersistentVolume volume) {
        if (volume.getMetadata().getDeletionTimestamp() != null) {
            throw StowageException.notPossible(
                    "PersistentVolume %s is being deleted and is not attached any more",
                    volume.getMetadata().getName());
        }
    }

    private String nodeId(VolumeAttachment attachment) {
        String node = attachment.getSpec().getNodeName();
        return cluster.nodeId(node)
                .orElseThrow(() -> StowageException.notFound(
                        "node %s does not have the driver %s: it is not in its CSINode, or there is none; is the driver's"
                                + " node pod running and registered there?",
                        node, cluster.driver()));
    }

    private Credentials credentials(WantedVolume volume) {
        if (volume.secret().isEmpty()) {
            return Credentials.NONE;
        }
        var reference = volume.secret().get();
        return cluster.credentials(reference)
                .orElseThrow(() -> StowageException.notFound(
                        "Secret %s/%s, which %s names for attaching, does not exist",
                        reference.getNamespace(), reference.getName(), volume.where()));
    }

    /** A node that registered itself anew under another id: the volume may still be attached to it by its former one. */
    private void leaveFormerNode(
            VolumeAttachment attachment, WantedVolume volume, String nodeId, Credentials credentials) {
        if (!records.isOurs(attachment)) {
            return;
        }
        Attachments.recordedNodeId(attachment)
                .filter(former -> !former.equals(nodeId))
                .ifPresent(former -> calls.detach(volume.handle(), former, credentials));
    }

    private static Map<String, String> intent(WantedVolume volume, String nodeId) {
        var annotations = new HashMap<>(Map.of(Names.NODE_ID, nodeId, Names.VOLUME, volume.handle()));
        volume.secret()
                .ifPresent(secret -> annotations.put(Names.SECRET, secret.getNamespace() + "/" + secret.getName()));
        return annotations;
    }
}
