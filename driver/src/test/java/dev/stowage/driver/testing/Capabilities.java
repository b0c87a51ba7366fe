package dev.stowage.driver.testing;

import csi.v1.VolumeCapability;
import csi.v1.VolumeCapability.AccessMode.Mode;
import csi.v1.VolumeCapability.BlockVolume;
import csi.v1.VolumeCapability.MountVolume;

/** Capabilities as an orchestrator sends them. */
public final class Capabilities {

    private Capabilities() {}

    public static VolumeCapability mount() {
        return mount(MountVolume.newBuilder().setFsType("ext4").build());
    }

    public static VolumeCapability mount(MountVolume mount) {
        return VolumeCapability.newBuilder()
                .setMount(mount)
                .setAccessMode(mode(Mode.SINGLE_NODE_WRITER))
                .build();
    }

    public static VolumeCapability block() {
        return VolumeCapability.newBuilder()
                .setBlock(BlockVolume.getDefaultInstance())
                .setAccessMode(mode(Mode.SINGLE_NODE_WRITER))
                .build();
    }

    public static VolumeCapability.AccessMode mode(Mode mode) {
        return VolumeCapability.AccessMode.newBuilder().setMode(mode).build();
    }
}
