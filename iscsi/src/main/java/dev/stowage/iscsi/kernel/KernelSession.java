package dev.stowage.iscsi.kernel;

import dev.stowage.iscsi.Iqn;
import dev.stowage.linux.scsi.ScsiDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A session that the kernel has, as sysfs shows it.
 *
 * @param number what iscsiadm calls it
 * @param host the SCSI host behind which its units are
 */
record KernelSession(int number, Iqn target, String host, Path directory) {

    private static final Path ALL = Path.of("/sys/class/iscsi_session");
    private static final String PREFIX = "session";

    static List<KernelSession> all() {
        var sessions = new ArrayList<KernelSession>();
        for (var name : ScsiDevice.names(ALL)) {
            read(name).ifPresent(sessions::add);
        }
        return sessions;
    }

    static List<KernelSession> of(Iqn target) {
        return all().stream().filter(session -> session.target().equals(target)).toList();
    }

    /** Empty if it ends just now. */
    private static Optional<KernelSession> read(String name) {
        try {
            var shown = ALL.resolve(name);
            var target = new Iqn(Files.readString(shown.resolve("targetname")).strip());
            var directory = shown.resolve("device").toRealPath();
            return Optional.of(new KernelSession(
                    Integer.parseInt(name.substring(PREFIX.length())),
                    target,
                    String.valueOf(directory.getName(directory.getNameCount() - 2)),
                    directory));
        } catch (IOException ending) {
            return Optional.empty();
        }
    }

    boolean loggedIn() {
        try {
            return Files.readString(ALL.resolve(PREFIX + number).resolve("state"))
                    .strip()
                    .equals("LOGGED_IN");
        } catch (IOException ending) {
            return false;
        }
    }

    /** The units that the kernel has found in it. */
    List<ScsiDevice> devices() {
        var devices = new ArrayList<ScsiDevice>();
        for (var target : ScsiDevice.names(directory)) {
            if (target.startsWith("target")) {
                for (var unit : ScsiDevice.names(directory.resolve(target))) {
                    if (unit.indexOf(':') > 0) {
                        devices.add(new ScsiDevice(directory.resolve(target).resolve(unit)));
                    }
                }
            }
        }
        return devices;
    }

    Optional<ScsiDevice> device(int lun) {
        return devices().stream().filter(device -> device.lun() == lun).findFirst();
    }
}
