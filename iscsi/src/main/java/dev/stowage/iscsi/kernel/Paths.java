package dev.stowage.iscsi.kernel;

import dev.stowage.core.error.StowageException;
import dev.stowage.iscsi.IscsiUnit;
import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.block.BlockDevices;
import dev.stowage.linux.scsi.Inquiry;
import dev.stowage.linux.scsi.ScsiDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The device of a unit within one session. */
final class Paths {

    private static final Logger log = LoggerFactory.getLogger(Paths.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** @param serial what the unit itself tells now */
    record Found(ScsiDevice device, String serial) {}

    record Number(int major, int minor) {}

    private Paths() {}

    /** Finds the unit's device, has the kernel look for it if there is none, and makes sure that it is the unit that is meant. */
    static Optional<Found> find(KernelSession session, IscsiUnit unit) {
        int lun = unit.address().lun();
        var known = session.device(lun);
        if (known.isPresent()) {
            var serial = told(known.get());
            boolean same = serial.isPresent() && serial.equals(known.get().knownSerial());
            if (same && unit.serial().map(serial.get()::equalsIgnoreCase).orElse(true)) {
                return serial.map(now -> new Found(known.get(), now));
            }
            log.warn(
                    "{} is another unit than it was: its device is removed before the number is used anew",
                    unit.address());
            Multipath.of(known.get()).ifPresent(Multipath::remove);
            remove(known.get());
        }
        ScsiDevice.scan(session.host(), lun);
        var device = await(session, lun);
        var serial = device.flatMap(Paths::told);
        if (device.isPresent() && serial.isPresent()) {
            try {
                unit.requireSerial(serial.get());
            } catch (StowageException.NotPossible another) {
                remove(device.get());
                throw another;
            }
            return Optional.of(new Found(device.get(), serial.get()));
        }
        return Optional.empty();
    }

    private static Optional<String> told(ScsiDevice device) {
        try {
            return device.node().map(Inquiry::serial);
        } catch (SyscallException failure) {
            log.warn(
                    "{} does not tell its serial number: {}", device.directory().getFileName(), failure.getMessage());
            return Optional.empty();
        }
    }

    /** The kernel returns from the search before the disk is there, and the node comes after the disk. */
    private static Optional<ScsiDevice> await(KernelSession session, int lun) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < deadline) {
            var device = session.device(lun);
            if (device.isEmpty()) {
                // The search itself is over: there is no such unit.
                return device;
            }
            if (device.get().node().filter(Files::exists).isPresent()) {
                return device;
            }
            Sleep.aMoment();
        }
        return Optional.empty();
    }

    /** Makes the kernel forget a device, unless it is in use. */
    static void remove(ScsiDevice device) {
        var inUse = device.node().filter(Files::exists).filter(BlockDevices::inUse);
        if (inUse.isPresent()) {
            throw new SyscallException("detach", inUse.get().toString(), Errno.EBUSY.number());
        }
        device.delete();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (Files.exists(device.directory())) {
            if (System.nanoTime() > deadline) {
                throw StowageException.unavailable(
                        "the kernel does not give %s up within %d s",
                        device.directory().getFileName(), PATIENCE.toSeconds());
            }
            Sleep.aMoment();
        }
    }

    static Number number(String kernelName) {
        try {
            var text = Files.readString(Path.of("/sys/class/block", kernelName, "dev"))
                    .strip();
            int colon = text.indexOf(':');
            return new Number(Integer.parseInt(text.substring(0, colon)), Integer.parseInt(text.substring(colon + 1)));
        } catch (IOException gone) {
            throw StowageException.unavailable(gone, "device %s has just gone", kernelName);
        }
    }
}
