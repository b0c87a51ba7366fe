package dev.stowage.sidecar.attacher;

import dev.stowage.core.error.StowageException;
import dev.stowage.kube.Cache;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.SecretReference;
import io.fabric8.kubernetes.api.model.storage.CSINode;
import io.fabric8.kubernetes.api.model.storage.VolumeAttachment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** What the cluster knows about volumes, nodes and secrets, as far as attaching needs it. */
record Cluster(
        KubernetesClient client,
        String driver,
        Cache<VolumeAttachment> attachments,
        Cache<PersistentVolume> volumes,
        Cache<CSINode> nodes) {

    /** The index of VolumeAttachments by their PersistentVolume. */
    static final String BY_VOLUME = "volume";

    /** The index of VolumeAttachments by their node. */
    static final String BY_NODE = "node";

    /** Waits until everything is known; returns whether it is. */
    boolean awaitKnown(BooleanSupplier givenUp) throws InterruptedException {
        return attachments.awaitFilled(givenUp) && volumes.awaitFilled(givenUp) && nodes.awaitFilled(givenUp);
    }

    /** The PersistentVolume that an attachment is about; empty for one that brings its own volume along. */
    Optional<PersistentVolume> persistentVolume(VolumeAttachment attachment) {
        var source = attachment.getSpec().getSource();
        if (source.getPersistentVolumeName() == null) {
            return Optional.empty();
        }
        return Optional.of(volumes.find(source.getPersistentVolumeName())
                .orElseThrow(() -> StowageException.notFound(
                        "PersistentVolume %s, which VolumeAttachment %s is about, does not exist",
                        source.getPersistentVolumeName(),
                        attachment.getMetadata().getName())));
    }

    WantedVolume wantedVolume(VolumeAttachment attachment) {
        var source = attachment.getSpec().getSource();
        if (source.getPersistentVolumeName() != null && source.getInlineVolumeSpec() != null) {
            throw StowageException.invalid(
                    "VolumeAttachment %s names both a PersistentVolume and a volume of its own",
                    attachment.getMetadata().getName());
        }
        var volume = persistentVolume(attachment);
        if (volume.isPresent()) {
            return WantedVolume.of(
                    "PersistentVolume " + volume.get().getMetadata().getName(),
                    volume.get().getSpec(),
                    driver);
        }
        if (source.getInlineVolumeSpec() == null) {
            throw StowageException.invalid(
                    "VolumeAttachment %s names no volume",
                    attachment.getMetadata().getName());
        }
        return WantedVolume.of(
                "the volume in VolumeAttachment " + attachment.getMetadata().getName(),
                source.getInlineVolumeSpec(),
                driver);
    }

    /** The volume's id, which also tells its lane; empty when nobody knows it any more. */
    Optional<String> handle(VolumeAttachment attachment) {
        try {
            return Optional.of(wantedVolume(attachment).handle());
        } catch (StowageException unknown) {
            return Optional.ofNullable(
                    AttachmentRecords.annotationsOf(attachment).get(Names.VOLUME));
        }
    }

    /** The id by which the driver itself knows the node. */
    Optional<String> nodeId(String node) {
        return nodes.find(node).stream()
                .flatMap(found -> found.getSpec().getDrivers().stream())
                .filter(found -> found.getName().equals(driver))
                .map(found -> found.getNodeID())
                .findFirst();
    }

    /** Reads a secret anew each time; nothing of it is kept. Empty when it does not exist. */
    Optional<Credentials> credentials(SecretReference reference) {
        try {
            return Optional.ofNullable(client.secrets()
                            .inNamespace(reference.getNamespace())
                            .withName(reference.getName())
                            .get())
                    .map(Credentials::of);
        } catch (KubernetesClientException failed) {
            throw StowageException.notPossible(
                    "Secret %s/%s cannot be read (%s); may the attacher read it?",
                    reference.getNamespace(),
                    reference.getName(),
                    failed.getStatus() == null
                            ? failed.getMessage()
                            : failed.getStatus().getReason());
        }
    }
}
