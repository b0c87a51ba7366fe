package dev.stowage.node;

import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.Sizes;
import dev.stowage.linux.filesystem.FilesystemType;
import dev.stowage.linux.filesystem.Filesystems;
import dev.stowage.node.Devices.Device;
import dev.stowage.node.FormatGate.Prepared;
import dev.stowage.node.record.FilesystemRecord;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes filesystems fill their devices: while they are mounted where the kernel lets us, before they are mounted where it does not. */
final class Growth {

    private static final Logger log = LoggerFactory.getLogger(Growth.class);

    /** The kernel resizes no btrfs to less. */
    private static final long SMALLEST_BTRFS = 256 * Sizes.MIB;

    /** btrfs leaves less than this of a device unused. */
    private static final long BTRFS_ROUNDING = 64 * Sizes.KIB;

    private final NodeRecords records;

    Growth(NodeRecords records) {
        this.records = records;
    }

    /** Grows a filesystem that is not mounted and could not be grown when it is. */
    Prepared beforeMount(VolumeId volume, Device device, Prepared prepared, long size) {
        var record = prepared.record();
        if (type(record) != FilesystemType.EXT4 || record.getSizeBytes() >= size || Capabilities.resource()) {
            return prepared;
        }
        // resize2fs takes an unmounted filesystem only if it was just checked.
        Ext4Repair.check(volume, device);
        Filesystems.grow(FilesystemType.EXT4, device.path(), device.path());
        return new Prepared(record.toBuilder().setSizeBytes(size).build(), false);
    }

    /** Grows a filesystem that is being mounted for writing, or was before; one that cannot grow now is as usable as it was. */
    void afterMount(VolumeId volume, Device device, Path path, long size) {
        var record = recorded(volume);
        if (record.getSizeBytes() >= size) {
            return;
        }
        if (type(record) == FilesystemType.EXT4 && !Capabilities.resource()) {
            log.warn(
                    "volume {}: its device of {} is larger than its ext4, which this process cannot grow while it is mounted; it grows"
                            + " when it is staged anew",
                    volume,
                    Sizes.text(size));
            return;
        }
        if (type(record) == FilesystemType.BTRFS && size < SMALLEST_BTRFS && !filledByBtrfs(path, size)) {
            log.warn(
                    "volume {}: its device of {} is larger than its btrfs, which can grow only to {} or more",
                    volume,
                    Sizes.text(size),
                    Sizes.text(SMALLEST_BTRFS));
            return;
        }
        grow(volume, record, device, path, size);
    }

    /** Grows a filesystem that is in use, or says why it cannot be. */
    void online(VolumeId volume, Device device, Path path, long size) {
        var record = recorded(volume);
        if (record.getSizeBytes() >= size) {
            return;
        }
        if (type(record) == FilesystemType.EXT4 && !Capabilities.resource()) {
            throw StowageException.notPossible(
                    "volume %s: ext4 grows while it is mounted only if this process has the capability CAP_SYS_RESOURCE, which it "
                            + "lacks. Run the driver with it, or restart the pods that use the volume: it grows when it is staged again",
                    volume);
        }
        if (type(record) == FilesystemType.BTRFS && size < SMALLEST_BTRFS && !filledByBtrfs(path, size)) {
            throw StowageException.notPossible(
                    "volume %s: the kernel grows btrfs to %s or more only, and its device has %s; expand the volume further",
                    volume, Sizes.text(SMALLEST_BTRFS), Sizes.text(size));
        }
        grow(volume, record, device, path, size);
    }

    private void grow(VolumeId volume, FilesystemRecord record, Device device, Path path, long size) {
        if (type(record) != FilesystemType.BTRFS || !filledByBtrfs(path, size)) {
            Filesystems.grow(type(record), device.path(), path);
        }
        // Lost with a crash, this only makes the next staging look again whether there is room to grow into.
        records.edit(volume)
                .filesystem(record.toBuilder().setSizeBytes(size).build())
                .defer();
    }

    private static boolean filledByBtrfs(Path path, long size) {
        return Filesystems.usage(path).totalBytes() > size - BTRFS_ROUNDING;
    }

    private FilesystemRecord recorded(VolumeId volume) {
        return records.filesystem(volume)
                .filter(record -> record.getState() == FilesystemRecord.State.PRESENT)
                .orElseThrow(() -> StowageException.internal(
                        "volume %s is mounted, but no filesystem is on record for it; unstage it and stage it again",
                        volume));
    }

    private static FilesystemType type(FilesystemRecord record) {
        return FilesystemType.parse(record.getType());
    }
}
