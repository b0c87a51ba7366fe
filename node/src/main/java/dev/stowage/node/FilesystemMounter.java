package dev.stowage.node;

import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.VolumeId;
import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.mount.Mounts;
import dev.stowage.linux.ownership.GroupOwnership;
import dev.stowage.node.Devices.Device;
import dev.stowage.node.Devices.How;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Brings a volume's filesystem to a path: device and format gate if it has a device, record, mount. What it did is undone when it fails. */
final class FilesystemMounter {

    private final Devices devices;
    private final NodeRecords records;
    private final FormatGate gate;
    private final Growth growth;
    private final NfsMounts nfs;

    FilesystemMounter(Devices devices, NodeRecords records, FormatGate gate, Growth growth, NfsMounts nfs) {
        this.devices = devices;
        this.records = records;
        this.gate = gate;
        this.growth = growth;
        this.nfs = nfs;
    }

    /** Adds to what goes on record before the mount. */
    interface Recording {
        NodeRecords.Edit add(NodeRecords.Edit edit, Device device);
    }

    /**
     * What is to be mounted where.
     *
     * @param mayFormat whether a blank device may be formatted, although the mount may be read-only
     */
    record Request(
            VolumeId volume,
            Path path,
            MountWish wish,
            boolean mayFormat,
            Map<String, String> publishContext,
            Map<String, String> volumeContext) {}

    /** Mounts the filesystem, grown to its device and owned by the wanted group. */
    void mount(Request request, Recording recording) {
        switch (request.wish()) {
            case FilesystemWish wish -> mountDevice(request, wish, recording);
            case ExportWish wish -> mountExport(request, wish, recording);
        }
    }

    private void mountExport(Request request, ExportWish wish, Recording recording) {
        var device = Device.of(wish.export());
        recording.add(records.edit(request.volume()), device).commit();
        nfs.mount(request.volume(), wish, request.path());
        try {
            converge(request.volume(), device, request.path(), wish, Optional.empty());
        } catch (RuntimeException failure) {
            var undo = new Undo();
            undo.add(() -> Unmounting.unmount("unstaged", request.volume(), request.path(), wish.use(), device));
            throw undo.after(failure);
        }
    }

    private void mountDevice(Request request, FilesystemWish wish, Recording recording) {
        var how = new How(false, true, request.publishContext(), request.volumeContext());
        var hold = devices.attach(request.volume(), how);
        var undo = new Undo();
        undo.add(() -> devices.detach(request.volume(), Optional.of(hold.device())));
        undo.add(hold::close);
        try {
            var device = hold.device();
            // Also for those who only read: the kernel may have to finish what a crash left in the journal.
            BlockDevice.makeWritable(devices, device, !hold.readOnly());
            devices.tune(device, how.settings());
            var prepared = gate.prepare(request.volume(), device, wish, request.mayFormat());
            if (!wish.readOnly()) {
                prepared = growth.beforeMount(request.volume(), device, prepared, devices.size(device));
            }
            var edit = records.edit(request.volume());
            if (!prepared.onRecord()) {
                edit.filesystem(prepared.record());
            }
            recording.add(edit, device).commit();
            mount(request, wish, device);
            undo.add(() -> Mounts.unmount(request.path()));
            converge(request.volume(), device, request.path(), wish, Optional.empty());
            hold.close();
        } catch (RuntimeException failure) {
            throw undo.after(failure);
        }
    }

    private static void mount(Request request, FilesystemWish wish, Device device) {
        try {
            Mounts.mount(
                    device.path(),
                    request.path(),
                    wish.type().mountName(),
                    wish.options().values());
        } catch (SyscallException refused) {
            if (refused.is(Errno.EINVAL) || refused.is(Errno.EUCLEAN) || refused.is(Errno.EROFS)) {
                throw StowageException.notPossible(
                        "volume %s: the kernel refuses to mount %s as %s with options %s: %s. Check the mount options, and the kernel's "
                                + "log for damage",
                        request.volume(),
                        device.path(),
                        wish.type().mountName(),
                        String.join(",", wish.options().values()),
                        Text.reason(refused));
            }
            throw refused;
        }
    }

    /** Grows the filesystem to its device and gives it to the group, as far as either is still to be done. */
    void converge(VolumeId volume, Device device, Path path, MountWish wish, Optional<Integer> groupGiven) {
        if (wish instanceof ExportWish wanted) {
            wanted.requireIs(volume, device);
        }
        if (wish.readOnly()) {
            return;
        }
        if (!device.exported()) {
            growth.afterMount(volume, device, path, devices.size(device));
        }
        if (wish.group().isPresent() && !wish.group().equals(groupGiven)) {
            GroupOwnership.apply(path, wish.group().get());
        }
    }
}
