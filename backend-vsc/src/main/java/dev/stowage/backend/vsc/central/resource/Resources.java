package dev.stowage.backend.vsc.central.resource;

import dev.stowage.core.error.StowageException;
import dev.stowage.kube.vsc.Vpsa;
import dev.stowage.kube.vsc.VscExternalVolume;
import dev.stowage.kube.vsc.VscNode;
import dev.stowage.kube.vsc.VscSnapshot;
import dev.stowage.kube.vsc.VscStorageClass;
import dev.stowage.kube.vsc.VscVolume;
import dev.stowage.kube.vsc.VscVolumeAttachment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The resources of every kind. */
public final class Resources implements AutoCloseable {

    /** Volumes, external volumes and snapshots by the array that has them. */
    public static final String BY_ARRAY = "array";
    /** Snapshots and attachments by their volume. */
    public static final String BY_VOLUME = "volume";
    /** Attachments by their node. */
    public static final String BY_NODE = "node";
    /** Arrays by their class. */
    public static final String BY_CLASS = "class";

    private final BooleanSupplier leads;
    private final Kind<VscStorageClass.Spec, VscStorageClass.Status, VscStorageClass> classes;
    private final Kind<Vpsa.Spec, Vpsa.Status, Vpsa> arrays;
    private final Kind<VscNode.Spec, VscNode.Status, VscNode> nodes;
    private final Kind<VscVolume.Spec, VscVolume.Status, VscVolume> volumes;
    private final Kind<VscVolume.Spec, VscVolume.Status, VscExternalVolume> externalVolumes;
    private final Kind<VscSnapshot.Spec, VscSnapshot.Status, VscSnapshot> snapshots;
    private final Kind<VscVolumeAttachment.Spec, VscVolumeAttachment.Status, VscVolumeAttachment> attachments;

    /** Who wants to hear of changes, by kind. */
    public interface Listeners {
        void classChanged(String name);

        void arrayChanged(String name);

        void volumeChanged(String name);

        void externalVolumeChanged(String name);

        void snapshotChanged(String name);

        void attachmentChanged(String name);
    }

    /** @param leads whether this process is the one that serves */
    public Resources(KubernetesClient client, Listeners listeners, BooleanSupplier leads) {
        this.leads = leads;
        Consumer<String> nobody = name -> {};
        classes = new Kind<>(client, VscStorageClass.class, Map.of(), listeners::classChanged);
        arrays = new Kind<>(
                client,
                Vpsa.class,
                Map.of(BY_CLASS, array -> List.of(array.getSpec().vscStorageClassName())),
                new ArrayChanges(listeners));
        nodes = new Kind<>(client, VscNode.class, Map.of(), nobody);
        volumes = new Kind<>(
                client,
                VscVolume.class,
                Map.of(BY_ARRAY, volume -> List.of(volume.getStatus().vpsaId())),
                listeners::volumeChanged);
        externalVolumes = new Kind<>(
                client,
                VscExternalVolume.class,
                Map.of(BY_ARRAY, volume -> List.of(volume.getStatus().vpsaId())),
                listeners::externalVolumeChanged);
        snapshots = new Kind<>(
                client,
                VscSnapshot.class,
                Map.of(
                        BY_ARRAY,
                        snapshot -> Optional.ofNullable(snapshot.getStatus().vpsaId()).stream()
                                .toList(),
                        BY_VOLUME,
                        snapshot -> List.of(snapshot.getSpec().volumeId())),
                listeners::snapshotChanged);
        attachments = new Kind<>(
                client,
                VscVolumeAttachment.class,
                Map.of(
                        BY_VOLUME,
                        attachment -> List.of(attachment.getSpec().volumeName()),
                        BY_NODE,
                        attachment -> List.of(attachment.getSpec().vscNodeName())),
                listeners::attachmentChanged);
    }

    public Kind<VscStorageClass.Spec, VscStorageClass.Status, VscStorageClass> classes() {
        return classes;
    }

    public Kind<Vpsa.Spec, Vpsa.Status, Vpsa> arrays() {
        return arrays;
    }

    public Kind<VscNode.Spec, VscNode.Status, VscNode> nodes() {
        return nodes;
    }

    public Kind<VscVolume.Spec, VscVolume.Status, VscVolume> volumes() {
        return volumes;
    }

    public Kind<VscVolume.Spec, VscVolume.Status, VscExternalVolume> externalVolumes() {
        return externalVolumes;
    }

    public Kind<VscSnapshot.Spec, VscSnapshot.Status, VscSnapshot> snapshots() {
        return snapshots;
    }

    public Kind<VscVolumeAttachment.Spec, VscVolumeAttachment.Status, VscVolumeAttachment> attachments() {
        return attachments;
    }

    public Optional<String> notReady() {
        return kinds().allMatch(Kind::filled)
                ? Optional.empty()
                : Optional.of(
                        "the resources of storage.zadara.com have not been read from the Kubernetes API server yet");
    }

    /** A controller that does not know what there is must not say that there is nothing, and only one may change it. */
    public void requireReady() {
        if (!leads.getAsBoolean()) {
            throw StowageException.unavailable("another controller leads; repeat the call there");
        }
        notReady().ifPresent(reason -> {
            throw StowageException.unavailable("%s; repeat the call, and see the log if it stays so", reason);
        });
    }

    private Stream<Kind<?, ?, ?>> kinds() {
        return Stream.of(classes, arrays, nodes, volumes, externalVolumes, snapshots, attachments);
    }

    @Override
    public void close() {
        kinds().forEach(Kind::close);
    }
}
