package dev.stowage.sidecar.attacher;

import dev.stowage.kube.Cache.Changes;
import dev.stowage.kube.work.WorkQueue;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.storage.CSINode;
import io.fabric8.kubernetes.api.model.storage.VolumeAttachment;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Turns what changes in the cluster into work.
 *
 * <p>What an attachment waits for, such as its PersistentVolume or its node, brings it up again as soon as it is there. Nothing is
 * handed on before everything is known that work may need; then all of it is.
 */
final class Events {

    private record Outlet(WorkQueue queue, Cluster cluster) {}

    private volatile @Nullable Outlet outlet;

    /** Everything is known: what is there is work, and from now on what changes is. */
    void open(WorkQueue queue, Cluster cluster) {
        outlet = new Outlet(queue, cluster);
        cluster.attachments().all().forEach(attachment -> queue.add(Work.onAttachment(name(attachment))));
        cluster.volumes().all().stream()
                .filter(Events::isDeleted)
                .forEach(volume -> queue.add(Work.onVolume(name(volume))));
    }

    void close() {
        outlet = null;
    }

    private Optional<Outlet> opened() {
        return Optional.ofNullable(outlet);
    }

    Changes<VolumeAttachment> ofAttachments() {
        return new Changes<>() {
            @Override
            public void seen(@Nullable VolumeAttachment before, VolumeAttachment now) {
                if (before == null || Attachments.asksForWork(before, now)) {
                    opened().ifPresent(open -> open.queue().add(Work.onAttachment(name(now))));
                }
            }

            @Override
            public void gone(VolumeAttachment last) {
                volumeOf(last)
                        .forEach(volume ->
                                opened().ifPresent(open -> open.queue().add(Work.onVolume(volume))));
            }
        };
    }

    Changes<PersistentVolume> ofVolumes() {
        return new Changes<>() {
            @Override
            public void seen(@Nullable PersistentVolume before, PersistentVolume now) {
                if (isDeleted(now)) {
                    opened().ifPresent(open -> open.queue().add(Work.onVolume(name(now))));
                } else if (before == null || !before.getSpec().equals(now.getSpec())) {
                    bringUp(Cluster.BY_VOLUME, name(now));
                }
            }

            @Override
            public void gone(PersistentVolume last) {}
        };
    }

    Changes<CSINode> ofNodes() {
        return new Changes<>() {
            @Override
            public void seen(@Nullable CSINode before, CSINode now) {
                if (before == null || !before.getSpec().equals(now.getSpec())) {
                    bringUp(Cluster.BY_NODE, name(now));
                }
            }

            @Override
            public void gone(CSINode last) {}
        };
    }

    private void bringUp(String index, String value) {
        opened().ifPresent(open -> open.cluster().attachments().by(index, value).stream()
                .filter(attachment -> !Attachments.isAttached(attachment))
                .forEach(attachment -> open.queue().add(Work.onAttachment(name(attachment)))));
    }

    static List<String> volumeOf(VolumeAttachment attachment) {
        String volume = attachment.getSpec().getSource().getPersistentVolumeName();
        return volume == null ? List.of() : List.of(volume);
    }

    private static boolean isDeleted(HasMetadata object) {
        return object.getMetadata().getDeletionTimestamp() != null;
    }

    private static String name(HasMetadata object) {
        return object.getMetadata().getName();
    }
}
