package dev.stowage.node;

import dev.stowage.node.Devices.Device;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the kernel tells of a block device. */
final class BlockDevice {

    private static final Path BY_NUMBER = Path.of("/sys/dev/block");

    private BlockDevice() {}

    static boolean readOnly(Device device) {
        var file = directory(device).resolve("ro");
        try {
            return Files.readString(file).strip().equals("1");
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot tell whether " + device.path() + " is read-only", unreadable);
        }
    }

    /**
     * Makes the device take writes, or refuse them, if it does not so already. A loop device that was made read-only stays so when its
     * file is taken away, and would surprise whoever gets it next.
     */
    static void makeWritable(Devices devices, Device device, boolean writable) {
        if (readOnly(device) == writable) {
            devices.setReadOnly(device, !writable);
        }
    }

    /** The kernel's name for the device, such as {@code loop3}. */
    static String name(Device device) {
        try {
            return directory(device).toRealPath().getFileName().toString();
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot find the kernel's name of " + device.path(), unreadable);
        }
    }

    private static Path directory(Device device) {
        return BY_NUMBER.resolve(device.major() + ":" + device.minor());
    }
}
