package dev.stowage.sidecar.attacher;

import io.fabric8.kubernetes.api.model.storage.VolumeAttachment;
import java.util.Optional;

/** What can be read from a VolumeAttachment. */
final class Attachments {

    private Attachments() {}

    static boolean isAttached(VolumeAttachment attachment) {
        return attachment.getStatus() != null
                && Boolean.TRUE.equals(attachment.getStatus().getAttached());
    }

    static boolean isDeleted(VolumeAttachment attachment) {
        return attachment.getMetadata().getDeletionTimestamp() != null;
    }

    /** The id that the node had when the volume was attached to it. */
    static Optional<String> recordedNodeId(VolumeAttachment attachment) {
        return Optional.ofNullable(AttachmentRecords.annotationsOf(attachment).get(Names.NODE_ID));
    }

    private record Relevant(Object spec, boolean attached, boolean deleted) {

        static Relevant of(VolumeAttachment attachment) {
            return new Relevant(attachment.getSpec(), isAttached(attachment), isDeleted(attachment));
        }
    }

    /** Whether something changed that asks for work. What the attacher itself wrote does not: it would undo the pause after a failure. */
    static boolean asksForWork(VolumeAttachment before, VolumeAttachment now) {
        boolean toldAgain = before.getMetadata()
                .getResourceVersion()
                .equals(now.getMetadata().getResourceVersion());
        return toldAgain || !Relevant.of(before).equals(Relevant.of(now));
    }
}
