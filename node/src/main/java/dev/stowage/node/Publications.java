package dev.stowage.node;

import dev.stowage.core.backend.NodeVolumes.Publish;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.TargetPath;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.VolumeUse;
import dev.stowage.linux.mount.Mounts;
import dev.stowage.linux.ownership.GroupOwnership;
import dev.stowage.node.Devices.Device;
import dev.stowage.node.StagedVolumes.Staged;
import dev.stowage.node.record.PublishRecord;
import dev.stowage.node.record.UseRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Staged volumes, shown to pods at their targets. */
final class Publications {

    private final Devices devices;
    private final NodeRecords records;
    private final StagedVolumes stagedVolumes;

    Publications(Devices devices, NodeRecords records, StagedVolumes stagedVolumes) {
        this.devices = devices;
        this.records = records;
        this.stagedVolumes = stagedVolumes;
    }

    void publish(Publish publish) {
        var staged = requireStaged(publish);
        var use = use(publish, staged);
        var target = Path.of(publish.targetPath().value());
        if (alreadyPublished(publish, use)) {
            giveToGroup(publish, staged, use);
            return;
        }
        refuseSecondWriter(publish, use);
        boolean created = willBeCreated(publish, target, use);
        if (use.getBlock()) {
            refuseMixedWriting(publish, use);
        }
        giveToGroup(publish, staged, use);
        var record = PublishRecord.newBuilder()
                .setTarget(publish.targetPath().value())
                .setUse(use)
                .setTargetCreated(created)
                .setDevice(Recorded.device(staged.device()))
                .build();
        var undo = new Undo();
        try {
            records.edit(publish.volume()).publication(record).commit();
            undo.add(() -> records.edit(publish.volume())
                    .dropPublication(record.getTarget())
                    .defer());
            if (created) {
                undo.add(() -> Mounts.removeTarget(target));
            }
            Target.ensure(target, use.getBlock());
            if (use.getBlock()) {
                BlockDevice.makeWritable(devices, staged.device(), !use.getReadOnly());
            }
            // A mount of a device node says nothing about writing to the device.
            Mounts.bind(
                    use.getBlock() ? staged.device().path() : staged.path(),
                    target,
                    use.getReadOnly() && !use.getBlock());
        } catch (RuntimeException failure) {
            throw undo.after(failure);
        }
    }

    private Staged requireStaged(Publish publish) {
        var staging = publish.stagingPath()
                .orElseThrow(() -> StowageException.notPossible(
                        "volume %s cannot be published without a staging path; stage it first and name the path",
                        publish.volume()));
        var staged = stagedVolumes
                .staged(publish.volume())
                .filter(found -> found.record().getStagingPath().equals(staging.value()));
        if (staged.isEmpty()) {
            stagedVolumes.requireExists(publish.volume());
        }
        return staged.orElseThrow(() -> StowageException.notPossible(
                "volume %s is not staged at %s; stage it first", publish.volume(), staging));
    }

    /** How the volume will be used at the target; refuses what does not go with how it was staged. */
    private static UseRecord use(Publish publish, Staged staged) {
        var stagedUse = staged.use();
        var mode = publish.use().mode();
        if (publish.use().block() != stagedUse.getBlock()) {
            throw mismatch(publish, staged, publish.use().block() ? "a raw device" : "a filesystem");
        }
        if (Recorded.mode(stagedUse).readOnly() && !mode.readOnly()) {
            throw mismatch(publish, staged, mode + ", which may write");
        }
        boolean readOnly = publish.readOnly() || mode.readOnly() || stagedUse.getReadOnly();
        return switch (publish.use().access()) {
            case VolumeUse.Block() -> Recorded.block(mode, readOnly);
            case VolumeUse.Mount mount -> {
                var wanted = mount.filesystem();
                boolean same = staged.device().exported()
                        ? ExportWish.isMeantBy(wanted)
                        : wanted.isEmpty()
                                || FilesystemWish.type(wanted).mountName().equals(stagedUse.getFilesystem());
                if (!same) {
                    throw mismatch(publish, staged, wanted);
                }
                // The mount that counts is the staged one; flags that it could not have had are refused here as well.
                var unused = MountOptions.parse(stagedUse.getFilesystem(), mount.mountFlags(), readOnly);
                yield Recorded.filesystem(stagedUse.getFilesystem(), mode, readOnly, mount.mountFlags());
            }
        };
    }

    private static StowageException mismatch(Publish publish, Staged staged, String wanted) {
        return StowageException.notPossible(
                "volume %s cannot be published as %s: it is staged as %s; unstage it and stage it so",
                publish.volume(), wanted, Recorded.text(staged.use()));
    }

    private void giveToGroup(Publish publish, Staged staged, UseRecord use) {
        if (use.getReadOnly()
                || !(publish.use().access() instanceof VolumeUse.Mount mount)
                || mount.group().isEmpty()
                || mount.group().equals(staged.group())) {
            return;
        }
        int group = mount.group().get();
        GroupOwnership.apply(staged.path(), group);
        records.edit(publish.volume())
                .stage(staged.record().toBuilder().setGroup(group).build())
                .defer();
    }

    private boolean alreadyPublished(Publish publish, UseRecord use) {
        var record = records.publication(publish.volume(), publish.targetPath());
        if (record.isEmpty() || !StagedVolumes.live(record.get())) {
            return false;
        }
        if (!record.get().getUse().equals(use)) {
            throw StowageException.alreadyExists(
                    "volume %s is already published at %s as %s, not as %s; unpublish it first",
                    publish.volume(),
                    publish.targetPath(),
                    Recorded.text(record.get().getUse()),
                    Recorded.text(use));
        }
        var target = Path.of(publish.targetPath().value());
        var device = Recorded.device(record.get()).orElseThrow();
        if (use.getReadOnly() && !use.getBlock() && !Sight.readOnly(target, device)) {
            // A read-only bind takes two calls, and a crash came between them. It is made anew.
            Unmounting.unmount("published", publish.volume(), target, use, device);
            return false;
        }
        return true;
    }

    private List<PublishRecord> others(Publish publish) {
        return records.publications(publish.volume()).stream()
                .filter(other -> !other.getTarget().equals(publish.targetPath().value()))
                .filter(StagedVolumes::live)
                .toList();
    }

    private void refuseSecondWriter(Publish publish, UseRecord use) {
        if (records.publications(publish.volume()).isEmpty()) {
            return;
        }
        for (var other : others(publish)) {
            if (!Recorded.mode(use).severalTargets()
                    || !Recorded.mode(other.getUse()).severalTargets()) {
                throw StowageException.notPossible(
                        "volume %s is already published at %s as %s and cannot be published as %s as well; unpublish it there first, or"
                                + " use SINGLE_NODE_MULTI_WRITER for both",
                        publish.volume(), other.getTarget(), Recorded.mode(other.getUse()), Recorded.mode(use));
            }
        }
    }

    private void refuseMixedWriting(Publish publish, UseRecord use) {
        for (var other : others(publish)) {
            if (other.getUse().getReadOnly() != use.getReadOnly()) {
                throw StowageException.notPossible(
                        "volume %s cannot be published %s at %s: its raw device is published %s at %s, and a device is the one or the "
                                + "other as a whole; unpublish it there first",
                        publish.volume(),
                        use.getReadOnly() ? "read-only" : "read-write",
                        publish.targetPath(),
                        other.getUse().getReadOnly() ? "read-only" : "read-write",
                        other.getTarget());
            }
        }
    }

    /** Whether the target is, or was before a crash, for us to make; refuses a target that is taken. */
    private boolean willBeCreated(Publish publish, Path target, UseRecord use) {
        if (Sight.mounted(target)) {
            throw StowageException.notPossible(
                    "volume %s cannot be published at %s: %s is mounted there; unmount it first",
                    publish.volume(), target, Sight.describe(target));
        }
        return !Target.exists(publish.volume(), target, use.getBlock())
                || records.publication(publish.volume(), publish.targetPath())
                        .filter(PublishRecord::getTargetCreated)
                        .isPresent();
    }

    /** @return the record of what was published, if anything was */
    Optional<PublishRecord> unpublish(VolumeId volume, TargetPath targetPath) {
        var target = Path.of(targetPath.value());
        var record = records.publication(volume, targetPath);
        if (record.isEmpty()) {
            unpublishWithoutRecord(volume, target);
            return record;
        }
        var device = Recorded.device(record.get());
        if (device.isPresent()) {
            Unmounting.unmount("unpublished", volume, target, record.get().getUse(), device.get());
        }
        if (record.get().getTargetCreated()) {
            Mounts.removeTarget(target);
        }
        records.edit(volume).dropPublication(targetPath.value()).defer();
        return record;
    }

    /** Records may be lost while mounts stay; a mount of the very device that the volume is attached as is the volume's. */
    private void unpublishWithoutRecord(VolumeId volume, Path target) {
        if (!Sight.mounted(target)) {
            return;
        }
        Optional<Device> attached;
        try {
            attached = devices.attached(volume);
        } catch (StowageException.NotFound unknown) {
            return;
        }
        for (var use : attached.isEmpty() ? List.<UseRecord>of() : possibleUses(target)) {
            if (Sight.at(target, use, attached.get()) == Sight.OURS) {
                Unmounting.unmount("unpublished", volume, target, use, attached.get());
                Mounts.removeTarget(target);
                return;
            }
        }
    }

    private static List<UseRecord> possibleUses(Path target) {
        return List.of(
                UseRecord.newBuilder().setBlock(true).build(),
                UseRecord.newBuilder().setFilesystem(Sight.type(target)).build());
    }
}
