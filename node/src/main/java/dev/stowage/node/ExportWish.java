package dev.stowage.node;

import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.AccessMode;
import dev.stowage.core.volume.VolumeUse;
import dev.stowage.node.Devices.Device;
import dev.stowage.node.record.UseRecord;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A server's filesystem, and how it shall be mounted. */
record ExportWish(Export export, MountOptions options, Optional<Integer> group, UseRecord use) implements MountWish {

    /** What all of it is called here and in records, whatever its version. */
    static final String TYPE = "nfs";

    private static final Set<String> NAMES = Set.of("", TYPE, "nfs4");

    /** Reads the wish, or throws because something in it is not allowed. Nothing is touched. */
    static ExportWish of(
            VolumeId volume, Export export, VolumeUse.Mount mount, AccessMode mode, Map<String, String> volumeContext) {
        if (!isMeantBy(mount.filesystem())) {
            throw StowageException.invalid(
                    "volume %s is %s, whose filesystem is the server's, and not %s; leave the filesystem type out, or make a volume "
                            + "with volumeType: Block",
                    volume, export, Text.quoted(mount.filesystem()));
        }
        var texts = new ArrayList<String>();
        texts.add(volumeContext.getOrDefault(FilesystemWish.MOUNT_OPTIONS, ""));
        texts.addAll(mount.mountFlags());
        var options = MountOptions.parse(TYPE, texts, mode.readOnly());
        mount.group().ifPresent(FilesystemWish::checkGroup);
        var use = Recorded.filesystem(TYPE, mode, options.readOnly(), mount.mountFlags());
        return new ExportWish(export, options, mount.group(), use);
    }

    /** Refuses a mount of something else that the volume was exported as before. */
    void requireIs(VolumeId volume, Device mounted) {
        if (!mounted.equals(Device.of(export))) {
            throw StowageException.notPossible(
                    "volume %s is staged from %s, but it is at %s now; end the pods that use it, so that it is staged anew",
                    volume, mounted.path(), export);
        }
    }

    static boolean isMeantBy(String filesystem) {
        return NAMES.contains(filesystem);
    }
}
