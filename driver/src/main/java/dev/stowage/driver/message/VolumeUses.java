package dev.stowage.driver.message;

import csi.v1.VolumeCapability;
import csi.v1.VolumeCapability.MountVolume;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.volume.AccessMode;
import dev.stowage.core.volume.VolumeUse;
import java.util.List;
import java.util.Optional;

/** Volume capabilities read into the model. */
public final class VolumeUses {

    private static final int FILESYSTEM_BYTES = 128;

    /** CSI's bound for all flags together. */
    private static final int FLAGS_BYTES = 4 << 10;

    /** The largest number means "no group" to the kernel. */
    private static final long LARGEST_GROUP = (1L << 32) - 2;

    private VolumeUses() {}

    public static List<VolumeUse> required(List<VolumeCapability> capabilities) {
        if (capabilities.isEmpty()) {
            throw StowageException.invalid("volume_capabilities is missing");
        }
        return all(capabilities);
    }

    public static List<VolumeUse> all(List<VolumeCapability> capabilities) {
        return capabilities.stream().map(VolumeUses::of).toList();
    }

    public static VolumeUse required(boolean present, VolumeCapability capability) {
        return optional(present, capability)
                .orElseThrow(() -> StowageException.invalid("volume_capability is missing"));
    }

    public static Optional<VolumeUse> optional(boolean present, VolumeCapability capability) {
        return present ? Optional.of(of(capability)) : Optional.empty();
    }

    private static VolumeUse of(VolumeCapability capability) {
        var access = switch (capability.getAccessTypeCase()) {
            case BLOCK -> new VolumeUse.Block();
            case MOUNT -> mount(capability.getMount());
            case ACCESSTYPE_NOT_SET ->
                throw StowageException.invalid("volume capability: the access type is missing; it is block or mount");
        };
        if (!capability.hasAccessMode()) {
            throw StowageException.invalid("volume capability: access_mode is missing");
        }
        return new VolumeUse(access, mode(capability.getAccessMode()));
    }

    private static VolumeUse.Mount mount(MountVolume mount) {
        PlainText.require("volume capability: fs_type", mount.getFsType(), FILESYSTEM_BYTES);
        mount.getMountFlagsList().forEach(flag -> PlainText.require("volume capability: a mount flag", flag));
        PlainText.require("volume capability: mount_flags", String.join(",", mount.getMountFlagsList()), FLAGS_BYTES);
        return new VolumeUse.Mount(mount.getFsType(), mount.getMountFlagsList(), group(mount.getVolumeMountGroup()));
    }

    /** Group numbers above 2³¹ are negative in Java; the bits are what the kernel expects. */
    private static Optional<Integer> group(String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        boolean decimal = text.length() <= 10 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!decimal || Long.parseLong(text) > LARGEST_GROUP) {
            throw StowageException.invalid(
                    "volume capability: volume_mount_group must be the number of a group, from 0 to %d", LARGEST_GROUP);
        }
        return Optional.of((int) Long.parseLong(text));
    }

    private static AccessMode mode(VolumeCapability.AccessMode mode) {
        return switch (mode.getMode()) {
            case SINGLE_NODE_WRITER -> AccessMode.SINGLE_NODE_WRITER;
            case SINGLE_NODE_READER_ONLY -> AccessMode.SINGLE_NODE_READER_ONLY;
            case SINGLE_NODE_SINGLE_WRITER -> AccessMode.SINGLE_NODE_SINGLE_WRITER;
            case SINGLE_NODE_MULTI_WRITER -> AccessMode.SINGLE_NODE_MULTI_WRITER;
            case MULTI_NODE_READER_ONLY -> AccessMode.MULTI_NODE_READER_ONLY;
            case MULTI_NODE_SINGLE_WRITER -> AccessMode.MULTI_NODE_SINGLE_WRITER;
            case MULTI_NODE_MULTI_WRITER -> AccessMode.MULTI_NODE_MULTI_WRITER;
            case UNKNOWN, UNRECOGNIZED ->
                throw StowageException.invalid(
                        "volume capability: access mode %d is not one that this driver knows", mode.getModeValue());
        };
    }
}
