package dev.stowage.linux.block;

import dev.stowage.linux.Errno;
import dev.stowage.linux.effect.Effects;
import dev.stowage.linux.internal.Descriptor;
import dev.stowage.linux.internal.Libc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;

/** Asks and sets what the kernel knows of a block device, whatever kind it is. */
public final class BlockDevices {

    private static final long BLKROSET = 0x125D;
    private static final long BLKGETSIZE64 = 0x80081272L;
    private static final Path BY_NUMBER = Path.of("/sys/dev/block");

    private BlockDevices() {}

    /** In bytes. */
    public static long size(Path device) {
        try (var opened = Descriptor.open(device, Libc.O_RDONLY);
                var arena = Arena.ofConfined()) {
            var size = arena.allocate(8, 8);
            Libc.check(Libc.ioctl(opened.number(), BLKGETSIZE64, size.address()), "measure", device);
            return size.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    /** Whether it is mounted, or another device is made of it. */
    public static boolean inUse(Path device) {
        var opened = Libc.openat(Libc.AT_FDCWD, device.toString(), Libc.O_RDONLY | Libc.O_EXCL, 0);
        if (opened >= 0) {
            new Descriptor(opened, device).close();
        }
        // Whatever else keeps it from being opened, such as a lost path, is no use of it.
        return opened == -Errno.EBUSY.number();
    }

    /** Makes the device refuse writes, or take them again. */
    public static void setReadOnly(Path device, boolean readOnly) {
        try (var opened = Descriptor.open(device, Libc.O_RDONLY);
                var arena = Arena.ofConfined()) {
            var value = arena.allocateFrom(ValueLayout.JAVA_INT, readOnly ? 1 : 0);
            Effects.run(
                    "set-readonly",
                    device.toString(),
                    () -> Libc.check(
                            Libc.ioctl(opened.number(), BLKROSET, value.address()),
                            readOnly ? "make read-only" : "make writable",
                            device));
        }
    }

    /** How far the kernel reads ahead on this device. */
    public static void setReadAhead(int major, int minor, int kibibytes) {
        var setting = BY_NUMBER.resolve(major + ":" + minor + "/queue/read_ahead_kb");
        Effects.run("set-readahead", setting.toString(), () -> {
            try {
                Files.writeString(setting, Integer.toString(kibibytes));
            } catch (IOException failure) {
                throw new UncheckedIOException("cannot set " + setting + " to " + kibibytes, failure);
            }
        });
    }
}
