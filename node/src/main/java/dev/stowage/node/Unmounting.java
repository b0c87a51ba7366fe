package dev.stowage.node;

import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.VolumeId;
import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.mount.Mounts;
import dev.stowage.node.Devices.Device;
import dev.stowage.node.record.UseRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Collectors;

/** Takes a volume's mounts away, and nobody else's. */
final class Unmounting {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Those that hang are not begun a second time. */
    private static final Bounded<Path, Boolean> EXPORTS = new Bounded<>(PATIENCE);

    private Unmounting() {}

    /**
     * Unmounts everything of the volume at the path; nothing being there is fine.
     *
     * @param what what cannot be done if this fails, such as "unstaged"
     */
    static void unmount(String what, VolumeId volume, Path path, UseRecord use, Device device) {
        try {
            for (var sight = Sight.at(path, use, device); sight != Sight.NOTHING; sight = Sight.at(path, use, device)) {
                if (sight == Sight.FOREIGN) {
                    throw StowageException.notPossible(
                            "volume %s cannot be %s from %s: %s is mounted there, which is not this volume; unmount it first",
                            volume, what, path, Sight.describe(path));
                }
                if (device.exported()) {
                    unmountExport(what, volume, path, device);
                } else {
                    Mounts.unmount(path);
                }
            }
        } catch (SyscallException failure) {
            if (failure.is(Errno.EBUSY)) {
                throw StowageException.notPossible(
                        "volume %s cannot be %s from %s: it is in use there; end what uses it first (it is mounted at %s)",
                        volume, what, path, mountsOf(device));
            }
            throw failure;
        }
    }

    /** What was not written yet goes to the server first, which may not answer. */
    private static void unmountExport(String what, VolumeId volume, Path path, Device device) {
        var ended = EXPORTS.look(path, () -> {
            Mounts.unmount(path);
            return true;
        });
        if (ended.isEmpty()) {
            throw StowageException.unavailable(
                    "volume %s cannot be %s from %s yet: the server of %s does not answer. It is tried again; bring the server back",
                    volume, what, path, device.path());
        }
    }

    private static String mountsOf(Device device) {
        return Mounts.all().stream()
                .filter(mount -> Sight.isOf(mount, device))
                .map(mount -> mount.target().toString())
                .collect(Collectors.joining(", "));
    }
}
