package dev.stowage.node;

import dev.stowage.core.error.StowageException;
import dev.stowage.core.volume.AccessMode;
import dev.stowage.core.volume.VolumeUse;
import dev.stowage.linux.filesystem.FilesystemType;
import dev.stowage.node.record.UseRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The filesystem that somebody wants on a volume, and how it shall be mounted. */
record FilesystemWish(
        FilesystemType type, MountOptions options, List<String> mkfsOptions, Optional<Integer> group, UseRecord use)
        implements MountWish {

    /** The volume's context may hold these. */
    static final String TYPE = "fsType";

    static final String MKFS_OPTIONS = "mkfsOptions";
    static final String MOUNT_OPTIONS = "mountOptions";

    private static final String DEFAULT_TYPE = "ext4";

    /** Reads the wish, or throws because something in it is not allowed. Nothing is touched. */
    static FilesystemWish of(
            VolumeUse.Mount mount, AccessMode mode, boolean readOnly, Map<String, String> volumeContext) {
        var type = type(mount.filesystem(), volumeContext);
        var texts = new ArrayList<String>();
        texts.add(volumeContext.getOrDefault(MOUNT_OPTIONS, ""));
        texts.addAll(mount.mountFlags());
        var options = MountOptions.parse(type, texts, readOnly || mode.readOnly());
        var mkfsOptions = MkfsOptions.parse(type, volumeContext.getOrDefault(MKFS_OPTIONS, ""));
        mount.group().ifPresent(FilesystemWish::checkGroup);
        var use = Recorded.filesystem(type.mountName(), mode, options.readOnly(), mount.mountFlags());
        return new FilesystemWish(type, options, mkfsOptions, mount.group(), use);
    }

    private static FilesystemType type(String wanted, Map<String, String> volumeContext) {
        return type(wanted.isEmpty() ? volumeContext.getOrDefault(TYPE, DEFAULT_TYPE) : wanted);
    }

    static FilesystemType type(String name) {
        try {
            return FilesystemType.parse(name);
        } catch (IllegalArgumentException unknown) {
            throw StowageException.invalid(
                    "filesystem type %s is not known; choose one of %s",
                    Text.quoted(name),
                    Arrays.stream(FilesystemType.values())
                            .map(FilesystemType::mountName)
                            .collect(Collectors.joining(", ")));
        }
    }

    static void checkGroup(int group) {
        if (group < 0) {
            throw StowageException.invalid("volume mount group %d is not a group id", group);
        }
    }
}
