package dev.stowage.linux.mount;

import dev.stowage.linux.file.FileHandle;
import java.util.Optional;

/**
 * What is mounted at a path, as the kernel answers without its mount table being read.
 *
 * @param mountId the id of the mount in the mount table
 * @param identity device and inode of what is visible there; equal to the source's of a bind mount. On btrfs the device is an
 *     anonymous one, so the block device below is known only from the mount table
 * @param readOnly whether this mount refuses writes, by itself or because its filesystem does
 * @param node the numbers of the block device, when a device node is mounted there
 */
public record MountRoot(long mountId, FileHandle.Identity identity, boolean readOnly, Optional<DeviceNumber> node) {
    /** The numbers of a block device. */
    public record DeviceNumber(int major, int minor) {}
}
