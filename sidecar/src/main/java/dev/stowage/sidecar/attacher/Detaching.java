package dev.stowage.sidecar.attacher;

import dev.stowage.core.error.StowageException;
import io.fabric8.kubernetes.api.model.SecretReference;
import io.fabric8.kubernetes.api.model.SecretReferenceBuilder;
import io.fabric8.kubernetes.api.model.storage.VolumeAttachment;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings about that a volume is detached, and lets go of its attachment.
 *
 * <p>The attachment itself says what was attached where. So nothing that was deleted meanwhile is missed: not the node, not the
 * PersistentVolume, not the secret.
 */
final class Detaching {

    private static final Logger LOG = LoggerFactory.getLogger(Detaching.class);

    private final Cluster cluster;
    private final AttachmentRecords records;
    private final AttachCalls calls;

    Detaching(Cluster cluster, AttachmentRecords records, AttachCalls calls) {
        this.cluster = cluster;
        this.records = records;
        this.calls = calls;
    }

    /**
     * Detaches, and says in the attachment's status when that fails.
     *
     * @return whether nothing is left to do
     */
    boolean detach(VolumeAttachment attachment) {
        if (!records.isOurs(attachment)) {
            return true;
        }
        String name = attachment.getMetadata().getName();
        try {
            if (wasNeverAttached(attachment)) {
                LOG.info("{}: nothing was ever attached for it", name);
            } else {
                detachVolume(attachment);
            }
            records.detached(attachment);
            return true;
        } catch (DetachFailed failed) {
            LOG.warn("{}: {}", name, failed.failure.message());
            records.detachFailed(attachment, failed.failure);
            return false;
        } catch (StowageException refused) {
            LOG.warn("{}: {}", name, refused.getMessage());
            records.detachFailed(attachment, Failure.of(refused));
            return false;
        }
    }

    private static final class DetachFailed extends RuntimeException {
        private final transient Failure failure;

        DetachFailed(Failure failure) {
            super(failure.message());
            this.failure = failure;
        }
    }

    /** The node's id is on record before anything is attached. */
    private boolean wasNeverAttached(VolumeAttachment attachment) {
        return Attachments.recordedNodeId(attachment).isEmpty()
                && !Attachments.isAttached(attachment)
                && cluster.nodeId(attachment.getSpec().getNodeName()).isEmpty();
    }

    private void detachVolume(VolumeAttachment attachment) {
        String nodeId = Attachments.recordedNodeId(attachment)
                .or(() -> cluster.nodeId(attachment.getSpec().getNodeName()))
                .orElseThrow(() -> StowageException.notFound(
                        "cannot detach: the id of node %s is neither in its CSINode nor in the annotation %s",
                        attachment.getSpec().getNodeName(), Names.NODE_ID));
        var volume = cluster.handle(attachment);
        if (volume.isEmpty()) {
            requireNothingOn(nodeId, attachment);
            return;
        }
        var credentials = credentials(attachment);
        try {
            calls.detach(volume.get(), nodeId, credentials);
            LOG.info("{}: volume {} is detached from node {}", nameOf(attachment), volume.get(), nodeId);
        } catch (StatusRuntimeException failed) {
            if (!isGoneByAllAccounts(failed, volume.get(), nodeId)) {
                throw new DetachFailed(Failure.of(
                        "detaching volume %s from node %s".formatted(volume.get(), nodeId), failed, credentials));
            }
            LOG.info("{}: the driver knows volume {} or node {} no more", nameOf(attachment), volume.get(), nodeId);
        }
    }

    /** A driver that does not find the volume or the node, and does not list them together either, has nothing to detach. */
    private boolean isGoneByAllAccounts(StatusRuntimeException failed, String volume, String nodeId) {
        if (failed.getStatus().getCode() != Status.Code.NOT_FOUND || !calls.tellsWhatIsAttached()) {
            return false;
        }
        try {
            return !calls.attachments().getOrDefault(volume, List.of()).contains(nodeId);
        } catch (StatusRuntimeException cannotTell) {
            LOG.debug("the driver does not list its volumes: {}", cannotTell.getMessage());
            return false;
        }
    }

    /** Nobody knows any more which volume it was. Where nothing is attached at all, that one is not either. */
    private void requireNothingOn(String nodeId, VolumeAttachment attachment) {
        boolean nothing;
        try {
            nothing = calls.tellsWhatIsAttached()
                    && calls.attachments().values().stream().noneMatch(nodes -> nodes.contains(nodeId));
        } catch (StatusRuntimeException failed) {
            throw new DetachFailed(Failure.of("listing volumes", failed, Credentials.NONE));
        }
        if (!nothing) {
            throw StowageException.notFound(
                    "cannot detach: PersistentVolume %s is gone, and nothing else tells which volume it was; make it again, or"
                            + " detach the volume by hand and remove the finalizers of VolumeAttachment %s",
                    attachment.getSpec().getSource().getPersistentVolumeName(), nameOf(attachment));
        }
    }

    /** Without the secret the driver is asked all the same: many need none to detach, and the others say so. */
    private Credentials credentials(VolumeAttachment attachment) {
        var reference = secret(attachment);
        if (reference.isEmpty()) {
            return Credentials.NONE;
        }
        var found = cluster.credentials(reference.get());
        if (found.isEmpty()) {
            LOG.warn(
                    "{}: Secret {}/{} does not exist any more, detaching without it",
                    nameOf(attachment),
                    reference.get().getNamespace(),
                    reference.get().getName());
        }
        return found.orElse(Credentials.NONE);
    }

    private Optional<SecretReference> secret(VolumeAttachment attachment) {
        try {
            return cluster.wantedVolume(attachment).secret();
        } catch (StowageException volumeIsGone) {
            return Optional.ofNullable(
                            AttachmentRecords.annotationsOf(attachment).get(Names.SECRET))
                    .map(text -> text.split("/", 2))
                    .filter(parts -> parts.length == 2)
                    .map(parts -> new SecretReferenceBuilder()
                            .withNamespace(parts[0])
                            .withName(parts[1])
                            .build());
        }
    }

    private static String nameOf(VolumeAttachment attachment) {
        return attachment.getMetadata().getName();
    }
}
