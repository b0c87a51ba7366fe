package dev.stowage.node;

import dev.stowage.core.volume.AccessMode;
import dev.stowage.core.volume.VolumeUse;
import dev.stowage.node.Devices.Device;
import dev.stowage.node.record.DeviceRecord;
import dev.stowage.node.record.PublishRecord;
import dev.stowage.node.record.StageRecord;
import dev.stowage.node.record.UseRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** From the model to records and back. */
final class Recorded {

    private Recorded() {}

    static DeviceRecord device(Device device) {
        return DeviceRecord.newBuilder()
                .setPath(device.path().toString())
                .setMajor(device.major())
                .setMinor(device.minor())
                .setIdentity(device.identity())
                .build();
    }

    static Optional<Device> device(StageRecord stage) {
        return stage.hasDevice() ? Optional.of(device(stage.getDevice())) : Optional.empty();
    }

    static Optional<Device> device(PublishRecord publication) {
        return publication.hasDevice() ? Optional.of(device(publication.getDevice())) : Optional.empty();
    }

    private static Device device(DeviceRecord device) {
        return new Device(Path.of(device.getPath()), device.getMajor(), device.getMinor(), device.getIdentity());
    }

    static UseRecord block(AccessMode mode, boolean readOnly) {
        return UseRecord.newBuilder()
                .setBlock(true)
                .setMode(mode.name())
                .setReadOnly(readOnly)
                .build();
    }

    static UseRecord filesystem(String type, AccessMode mode, boolean readOnly, List<String> mountFlags) {
        return UseRecord.newBuilder()
                .setFilesystem(type)
                .setMode(mode.name())
                .setReadOnly(readOnly)
                .addAllMountFlags(mountFlags)
                .build();
    }

    static AccessMode mode(UseRecord use) {
        return AccessMode.valueOf(use.getMode());
    }

    /** The use for a message. */
    static String text(UseRecord use) {
        return (use.getBlock() ? "a raw device" : use.getFilesystem())
                + (use.getReadOnly() ? ", read-only, " : ", read-write, ")
                + use.getMode()
                + (use.getMountFlagsCount() == 0 ? "" : ", mount flags " + String.join(",", use.getMountFlagsList()));
    }

    static List<String> mountFlags(VolumeUse use) {
        return switch (use.access()) {
            case VolumeUse.Block() -> List.of();
            case VolumeUse.Mount mount -> mount.mountFlags();
        };
    }
}
