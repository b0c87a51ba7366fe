package dev.stowage.node;

import dev.stowage.core.backend.NodeVolumes.Publish;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.VolumeUse;
import dev.stowage.linux.mount.Mounts;
import dev.stowage.node.record.PublishRecord;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Volumes that are made when a pod that describes them starts, and deleted when it ends. One record tells their whole life. */
final class EphemeralPublications {

    /** What the kubelet puts into the context of such a volume. */
    static final String MARK = "csi.storage.k8s.io/ephemeral";

    private final Optional<EphemeralVolumes> volumes;
    private final Devices devices;
    private final NodeRecords records;
    private final FilesystemMounter mounter;

    EphemeralPublications(
            Optional<EphemeralVolumes> volumes, Devices devices, NodeRecords records, FilesystemMounter mounter) {
        this.volumes = volumes;
        this.devices = devices;
        this.records = records;
        this.mounter = mounter;
    }

    static boolean wanted(Publish publish) {
        return "true".equals(publish.volumeContext().get(MARK));
    }

    void publish(Publish publish) {
        var ephemeral = volumes.orElseThrow(
                () -> StowageException.invalid("volume %s: this storage has no ephemeral volumes", publish.volume()));
        if (!(publish.use().access() instanceof VolumeUse.Mount mount)) {
            throw StowageException.invalid(
                    "volume %s: an ephemeral volume is a filesystem, not a raw device", publish.volume());
        }
        var wish = FilesystemWish.of(mount, publish.use().mode(), publish.readOnly(), publish.volumeContext());
        if (alreadyPublished(publish, wish)) {
            return;
        }
        var target = Path.of(publish.targetPath().value());
        boolean created = willBeCreated(publish, target);
        var record = PublishRecord.newBuilder()
                .setTarget(publish.targetPath().value())
                .setUse(wish.use())
                .setTargetCreated(created)
                .setEphemeral(true);
        // A volume that was there before may hold what its pod wrote before a reboot; only a new one goes with the
        // failure.
        boolean fresh =
                records.publication(publish.volume(), publish.targetPath()).isEmpty();
        var undo = new Undo();
        try {
            records.edit(publish.volume()).publication(record.build()).commit();
            if (fresh) {
                undo.add(() -> forget(publish.volume(), record.getTarget()));
                undo.add(() -> ephemeral.delete(publish.volume()));
                if (created) {
                    undo.add(() -> Mounts.removeTarget(target));
                }
            }
            ephemeral.create(publish.volume(), withType(publish.volumeContext(), wish));
            Target.ensure(target, false);
            mounter.mount(
                    new FilesystemMounter.Request(
                            publish.volume(), target, wish, true, publish.publishContext(), publish.volumeContext()),
                    (edit, device) -> edit.publication(
                            record.setDevice(Recorded.device(device)).build()));
        } catch (RuntimeException failure) {
            throw undo.after(failure);
        }
    }

    /** The context with the filesystem that will be made, whoever asked for it: a volume must be large enough for it. */
    private static Map<String, String> withType(Map<String, String> context, FilesystemWish wish) {
        var complete = new HashMap<>(context);
        complete.put(FilesystemWish.TYPE, wish.type().mountName());
        return complete;
    }

    private boolean alreadyPublished(Publish publish, FilesystemWish wish) {
        for (var record : records.publications(publish.volume())) {
            boolean here = record.getTarget().equals(publish.targetPath().value());
            if (!StagedVolumes.live(record)) {
                continue;
            }
            if (!here) {
                throw StowageException.notPossible(
                        "volume %s is ephemeral and already published at %s; it has one target only",
                        publish.volume(), record.getTarget());
            }
            if (!record.getUse().equals(wish.use())) {
                throw StowageException.alreadyExists(
                        "volume %s is already published at %s as %s, not as %s; unpublish it first",
                        publish.volume(),
                        publish.targetPath(),
                        Recorded.text(record.getUse()),
                        Recorded.text(wish.use()));
            }
            return true;
        }
        return false;
    }

    private boolean willBeCreated(Publish publish, Path target) {
        if (Sight.mounted(target)) {
            throw StowageException.notPossible(
                    "volume %s cannot be published at %s: %s is mounted there; unmount it first",
                    publish.volume(), target, Sight.describe(target));
        }
        return !Target.exists(publish.volume(), target, false)
                || records.publication(publish.volume(), publish.targetPath())
                        .filter(PublishRecord::getTargetCreated)
                        .isPresent();
    }

    /** Unmounts the volume, takes its device away and deletes it; each may be done already. */
    void unpublish(VolumeId volume, PublishRecord record) {
        var target = Path.of(record.getTarget());
        var device = Recorded.device(record);
        device.ifPresent(ours -> Unmounting.unmount("unpublished", volume, target, record.getUse(), ours));
        remove(volume, record);
        if (record.getTargetCreated()) {
            Mounts.removeTarget(target);
        }
        forget(volume, record.getTarget());
    }

    /** Deletes a volume that nothing is published of any more. */
    void remove(VolumeId volume, PublishRecord record) {
        try {
            devices.detach(volume, Recorded.device(record));
        } catch (StowageException.NotFound gone) {
            // A volume that does not exist has no device here.
        }
        volumes.ifPresent(ephemeral -> ephemeral.delete(volume));
    }

    /** Deletes a volume that was made here and of which no record is left. */
    void removeUnrecorded(VolumeId volume) {
        if (volumes.filter(ephemeral -> ephemeral.owns(volume)).isPresent()
                && records.publications(volume).isEmpty()) {
            remove(volume, PublishRecord.getDefaultInstance());
        }
    }

    void forget(VolumeId volume, String target) {
        records.edit(volume).dropPublication(target).dropFilesystem().commit();
    }
}
