package dev.stowage.backend.local.volume;

import dev.stowage.backend.local.pool.Pool;
import dev.stowage.core.id.VolumeId;
import dev.stowage.linux.file.FileHandle;
import dev.stowage.linux.loop.LoopDevices;
import dev.stowage.linux.mount.MountPoint;
import dev.stowage.linux.mount.Mounts;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a volume is used for on this machine right now, as the kernel tells it and not as anybody remembers it.
 *
 * @param mounts where its filesystem is mounted; empty when it is a raw device
 */
public record LiveUse(int loop, boolean readOnly, List<MountPoint> mounts) {

    public LiveUse {
        mounts = List.copyOf(mounts);
    }

    public static Optional<LiveUse> of(Pool pool, VolumeId volume) {
        try (FileHandle file = Pool.open(pool.volumes(), volume.value(), false).orElse(null)) {
            return file == null ? Optional.empty() : of(file);
        }
    }

    private static Optional<LiveUse> of(FileHandle file) {
        var identity = file.identity();
        return LoopDevices.attached().stream()
                .filter(loop -> loop.backing().equals(identity))
                .findAny()
                .map(loop -> new LiveUse(loop.number(), loop.readOnly(), mountsOf("/dev/loop" + loop.number())));
    }

    /** By name, because btrfs hides the device's numbers behind ones of its own. */
    private static List<MountPoint> mountsOf(String device) {
        return Mounts.all().stream()
                .filter(mount -> mount.source().equals(device))
                // A raw device is published by mounting its node, which is a mount of the filesystem that holds /dev.
                .filter(mount -> !mount.type().equals("devtmpfs"))
                .toList();
    }

    public boolean rawDevice() {
        return mounts.isEmpty();
    }

    /** One of the places where the filesystem is mounted; freezing there freezes all of it. */
    public Path mountPoint() {
        return mounts.getFirst().target();
    }
}
