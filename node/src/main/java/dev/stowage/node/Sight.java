package dev.stowage.node;

import dev.stowage.linux.SyscallException;
import dev.stowage.linux.filesystem.FilesystemType;
import dev.stowage.linux.mount.MountPoint;
import dev.stowage.linux.mount.Mounts;
import dev.stowage.node.Devices.Device;
import dev.stowage.node.record.UseRecord;
import java.nio.file.Path;

/** What the kernel has at a path, compared with what a record says should be there. */
enum Sight {
    NOTHING,
    OURS,
    FOREIGN;

    /** Looks for the device, as a filesystem or as a device node. */
    static Sight at(Path path, UseRecord use, Device device) {
        return use.getBlock() ? deviceNodeAt(path, device) : filesystemAt(path, use.getFilesystem(), device);
    }

    private static Sight filesystemAt(Path path, String type, Device device) {
        if (device.exported()) {
            // Only the table answers for certain: the server may not.
            return inTable(path, device);
        }
        if (!type.equals(FilesystemType.BTRFS.mountName())) {
            try {
                return Mounts.mountRoot(path)
                        .map(root -> root.identity().major() == device.major()
                                        && root.identity().minor() == device.minor()
                                ? OURS
                                : FOREIGN)
                        .orElse(NOTHING);
            } catch (SyscallException broken) {
                // A filesystem that has shut down answers nothing about itself; the mount table still knows it.
            }
        } else if (!mounted(path)) {
            return NOTHING;
        }
        return inTable(path, device);
    }

    private static Sight inTable(Path path, Device device) {
        return Mounts.at(path)
                .map(mount -> isOf(mount, device) ? OURS : FOREIGN)
                .orElse(NOTHING);
    }

    private static Sight deviceNodeAt(Path path, Device device) {
        return Mounts.mountRoot(path)
                .map(root -> root.node()
                                .filter(node -> node.major() == device.major() && node.minor() == device.minor())
                                .isPresent()
                        ? OURS
                        : FOREIGN)
                .orElse(NOTHING);
    }

    /** Whether anything is mounted at the path. */
    static boolean mounted(Path path) {
        return Mounts.mountedAt(path);
    }

    /**
     * Whether the mount is of that device, or of what a server exports. Those, and btrfs, show numbers of their own, so that only the
     * name tells.
     */
    static boolean isOf(MountPoint mount, Device device) {
        if (device.exported()) {
            return ExportWish.isMeantBy(mount.type())
                    && mount.root().equals("/")
                    && mount.source().equals(device.path().toString());
        }
        return mount.type().equals(FilesystemType.BTRFS.mountName())
                ? mount.source().equals(device.path().toString())
                : mount.major() == device.major() && mount.minor() == device.minor();
    }

    /** Whether writes are refused there, by the mount or by the whole filesystem. */
    static boolean readOnly(Path path, Device device) {
        return device.exported()
                ? Mounts.at(path).filter(mount -> mount.readOnly()).isPresent()
                : readOnly(path);
    }

    static boolean readOnly(Path path) {
        try {
            return Mounts.mountRoot(path).filter(root -> root.readOnly()).isPresent();
        } catch (SyscallException broken) {
            return Mounts.at(path).filter(mount -> mount.readOnly()).isPresent();
        }
    }

    /** The type of the filesystem that is mounted at the path, empty when none is. */
    static String type(Path path) {
        return Mounts.at(path).map(mount -> mount.type()).orElse("");
    }

    /** What is mounted at the path, for a message. */
    static String describe(Path path) {
        return Mounts.at(path)
                .map(mount -> mount.type() + " from " + Text.quoted(mount.source()))
                .orElse("something that has gone since");
    }
}
