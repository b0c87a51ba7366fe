package dev.stowage.node;

import dev.stowage.core.backend.NodeVolumes.Stage;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.TargetPath;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.VolumeUse;
import dev.stowage.linux.mount.Mounts;
import dev.stowage.node.Devices.Device;
import dev.stowage.node.Devices.How;
import dev.stowage.node.record.FilesystemRecord;
import dev.stowage.node.record.PublishRecord;
import dev.stowage.node.record.StageRecord;
import dev.stowage.node.record.UseRecord;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Volumes that are ready on this node, to be published to any number of pods. */
final class StagedVolumes {

    /** In the publish context: which attachment it is. Another one of the same volume has another value. */
    private static final String ATTACHMENT = "attachment";

    private final Devices devices;
    private final NodeRecords records;
    private final FilesystemMounter mounter;

    StagedVolumes(Devices devices, NodeRecords records, FilesystemMounter mounter) {
        this.devices = devices;
        this.records = records;
        this.mounter = mounter;
    }

    /** A volume that is staged, by its record and by the kernel. */
    record Staged(StageRecord record, Device device, Path path) {
        UseRecord use() {
            return record.getUse();
        }

        Optional<Integer> group() {
            return record.hasGroup() ? Optional.of(record.getGroup()) : Optional.empty();
        }
    }

    void stage(Stage stage) {
        leaveFormerAttachment(stage);
        switch (stage.use().access()) {
            case VolumeUse.Block() -> stageDevice(stage);
            case VolumeUse.Mount mount -> stageFilesystem(stage, wish(stage, mount));
        }
    }

    /**
     * What is staged here from an attachment that has ended since is not what is on the volume: another node may have written to it. So
     * it goes, its device first, lest the kernel writes what it still has in memory over it. Servers of exports see to that themselves.
     */
    private void leaveFormerAttachment(Stage stage) {
        var former = records.stage(stage.volume())
                .filter(record -> !record.getAttachment().isEmpty())
                .filter(record -> !record.getAttachment().equals(attachment(stage)));
        if (former.isEmpty()
                || devices.export(stage.volume(), stage.publishContext()).isPresent()) {
            return;
        }
        if (!records.publications(stage.volume()).isEmpty()) {
            throw StowageException.notPossible(
                    "volume %s cannot be staged: pods here still have it as it was attached before, and another node may have written to"
                            + " it since; delete these pods: %s",
                    stage.volume(),
                    records.publications(stage.volume()).stream()
                            .map(PublishRecord::getTarget)
                            .sorted()
                            .collect(Collectors.joining(", ")));
        }
        devices.cut(stage.volume());
        unstage(stage.volume(), new TargetPath(former.get().getStagingPath()));
    }

    private static String attachment(Stage stage) {
        return stage.publishContext().getOrDefault(ATTACHMENT, "");
    }

    private MountWish wish(Stage stage, VolumeUse.Mount mount) {
        var mode = stage.use().mode();
        return devices.export(stage.volume(), stage.publishContext())
                .<MountWish>map(export -> ExportWish.of(stage.volume(), export, mount, mode, stage.volumeContext()))
                .orElseGet(() -> FilesystemWish.of(mount, mode, false, contextWithType(stage)));
    }

    /** Whoever names no type means the one that the volume has. A PersistentVolume written by hand has no context to name it. */
    private Map<String, String> contextWithType(Stage stage) {
        var context = new HashMap<>(stage.volumeContext());
        records.filesystem(stage.volume())
                .map(FilesystemRecord::getType)
                .filter(type -> !type.isEmpty())
                .ifPresent(type -> context.putIfAbsent(FilesystemWish.TYPE, type));
        return context;
    }

    private void stageFilesystem(Stage stage, MountWish wish) {
        var path = Path.of(stage.stagingPath().value());
        var already = alreadyStaged(stage, wish.use());
        if (already.isPresent()) {
            var staged = already.get();
            mounter.converge(stage.volume(), staged.device(), path, wish, staged.group());
            rememberGroup(stage.volume(), wish);
            return;
        }
        requireExists(stage.volume());
        if (Sight.mounted(path)) {
            throw StowageException.notPossible(
                    "volume %s cannot be staged at %s: %s is mounted there, which is not on record as this volume; unmount it first",
                    stage.volume(), path, Sight.describe(path));
        }
        var record = StageRecord.newBuilder()
                .setStagingPath(stage.stagingPath().value())
                .setAttachment(attachment(stage))
                .setUse(wish.use());
        var undo = new Undo();
        try {
            undo.add(() -> records.edit(stage.volume()).dropStage().defer());
            if (!devices.holdsEndWithProcess()) {
                records.edit(stage.volume()).stage(record.build()).commit();
            }
            Mounts.ensureDirectory(path);
            mounter.mount(
                    new FilesystemMounter.Request(
                            stage.volume(),
                            path,
                            wish,
                            !wish.readOnly(),
                            stage.publishContext(),
                            stage.volumeContext()),
                    (edit, device) ->
                            edit.stage(record.setDevice(Recorded.device(device)).build()));
        } catch (RuntimeException failure) {
            throw undo.after(failure);
        }
        rememberGroup(stage.volume(), wish);
    }

    /** That there is no such volume comes before everything that may be wrong with its place. */
    void requireExists(VolumeId volume) {
        if (!devices.exists(volume)) {
            throw StowageException.notFound("volume %s does not exist on this node", volume);
        }
    }

    /** Lost with a crash, this only makes the next staging look again at who owns the files. */
    private void rememberGroup(VolumeId volume, MountWish wish) {
        if (wish.readOnly() || wish.group().isEmpty()) {
            return;
        }
        records.stage(volume)
                .filter(record ->
                        !record.hasGroup() || record.getGroup() != wish.group().get())
                .ifPresent(record -> records.edit(volume)
                        .stage(record.toBuilder().setGroup(wish.group().get()).build())
                        .defer());
    }

    private void stageDevice(Stage stage) {
        var mode = stage.use().mode();
        var use = Recorded.block(mode, mode.readOnly());
        if (alreadyStaged(stage, use).isPresent()) {
            return;
        }
        var record = StageRecord.newBuilder()
                .setStagingPath(stage.stagingPath().value())
                .setAttachment(attachment(stage))
                .setUse(use);
        var undo = new Undo();
        try {
            undo.add(() -> records.edit(stage.volume()).dropStage().defer());
            var intent = records.edit(stage.volume()).stage(record.build());
            if (!use.getReadOnly()) {
                intent.filesystem(usedAsBlock(stage.volume()));
            }
            intent.commit();
            var how = new How(use.getReadOnly(), false, stage.publishContext(), stage.volumeContext());
            try (var hold = devices.attach(stage.volume(), how)) {
                var device = hold.device();
                undo.add(() -> devices.detach(stage.volume(), Optional.of(device)));
                BlockDevice.makeWritable(devices, device, !use.getReadOnly());
                devices.tune(device, how.settings());
                records.edit(stage.volume())
                        .stage(record.setDevice(Recorded.device(device)).build())
                        .commit();
            }
        } catch (RuntimeException failure) {
            throw undo.after(failure);
        }
    }

    /** From now on anything may be written to the volume, so that an interrupted formatting no longer explains what is on it. */
    private FilesystemRecord usedAsBlock(VolumeId volume) {
        var record = records.filesystem(volume).orElse(FilesystemRecord.getDefaultInstance());
        var changed = record.toBuilder().setUsedAsBlock(true);
        return record.getState() == FilesystemRecord.State.FORMATTING
                ? FilesystemRecord.newBuilder().setUsedAsBlock(true).build()
                : changed.build();
    }

    /** The volume as it is staged, if it is; refuses what contradicts that. */
    private Optional<Staged> alreadyStaged(Stage stage, UseRecord wanted) {
        var found = records.stage(stage.volume()).flatMap(record -> staged(stage.volume(), record, true));
        if (found.isEmpty()) {
            return found;
        }
        var record = found.get().record();
        if (!record.getStagingPath().equals(stage.stagingPath().value())) {
            throw StowageException.notPossible(
                    "volume %s cannot be staged at %s: it is staged at %s; unstage it there first",
                    stage.volume(), stage.stagingPath(), record.getStagingPath());
        }
        if (!record.getUse().equals(wanted)) {
            throw StowageException.alreadyExists(
                    "volume %s is already staged at %s as %s, not as %s; unstage it first",
                    stage.volume(), stage.stagingPath(), Recorded.text(record.getUse()), Recorded.text(wanted));
        }
        return found;
    }

    /** The volume as it is staged now, verified. */
    Optional<Staged> staged(VolumeId volume) {
        return records.stage(volume).flatMap(record -> staged(volume, record, false));
    }

    /**
     * What of the record is true.
     *
     * @param identity whether to ask for the identity of a mounted device as well: as long as it is mounted, its numbers cannot pass on
     *     to another, so that this only guards against mounts that were made by hand
     */
    private Optional<Staged> staged(VolumeId volume, StageRecord record, boolean identity) {
        var device = Recorded.device(record);
        if (device.isEmpty()) {
            return Optional.empty();
        }
        var path = Path.of(record.getStagingPath());
        boolean mounted = record.getUse().getBlock() || Sight.at(path, record.getUse(), device.get()) == Sight.OURS;
        boolean same = device.get().exported()
                || !identity && !record.getUse().getBlock()
                || attached(volume).equals(device);
        return mounted && same ? Optional.of(new Staged(record, device.get(), path)) : Optional.empty();
    }

    void unstage(VolumeId volume, TargetPath stagingPath) {
        var path = Path.of(stagingPath.value());
        var record = records.stage(volume);
        if (record.isPresent() && !record.get().getStagingPath().equals(stagingPath.value())) {
            return;
        }
        refuseWhilePublished(volume);
        var device = record.flatMap(Recorded::device).or(() -> attachedWithoutRecord(volume, path));
        device.ifPresent(ours -> unmount(volume, path, record, ours));
        if (record.isPresent() && record.get().getUse().getBlock()) {
            attached(volume).ifPresent(ours -> BlockDevice.makeWritable(devices, ours, true));
        }
        detach(volume, device);
        var edit = records.edit(volume).dropStage();
        records.filesystem(volume)
                .filter(filesystem -> filesystem.getState() == FilesystemRecord.State.FORMATTING)
                .ifPresent(filesystem ->
                        edit.filesystem(filesystem.toBuilder().clearBootId().build()));
        edit.commit();
    }

    /** Records may be lost while mounts stay; a mount of the very device that the volume is attached as is the volume's. */
    private Optional<Device> attachedWithoutRecord(VolumeId volume, Path path) {
        return Sight.mounted(path) ? attached(volume) : Optional.empty();
    }

    private Optional<Device> attached(VolumeId volume) {
        try {
            return devices.attached(volume);
        } catch (StowageException.NotFound unknown) {
            return Optional.empty();
        }
    }

    private void detach(VolumeId volume, Optional<Device> device) {
        try {
            devices.detach(volume, device);
        } catch (StowageException.NotFound unknown) {
            // A volume that does not exist has no device here.
        }
    }

    private void unmount(VolumeId volume, Path path, Optional<StageRecord> record, Device device) {
        if (record.isPresent() && record.get().getUse().getBlock()) {
            return;
        }
        var use = record.map(StageRecord::getUse)
                .orElseGet(() -> UseRecord.newBuilder()
                        .setFilesystem(
                                Mounts.at(path).map(mount -> mount.type()).orElse(""))
                        .build());
        Unmounting.unmount("unstaged", volume, path, use, device);
    }

    private void refuseWhilePublished(VolumeId volume) {
        var targets = records.publications(volume).stream()
                .filter(StagedVolumes::live)
                .map(PublishRecord::getTarget)
                .toList();
        if (!targets.isEmpty()) {
            throw StowageException.notPossible(
                    "volume %s cannot be unstaged: it is published at %s; unpublish it there first",
                    volume, String.join(", ", targets));
        }
    }

    /** Whether the kernel has the publication's device at its target. */
    static boolean live(PublishRecord publication) {
        return Recorded.device(publication)
                .filter(device ->
                        Sight.at(Path.of(publication.getTarget()), publication.getUse(), device) == Sight.OURS)
                .isPresent();
    }
}
