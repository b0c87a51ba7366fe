package dev.stowage.linux.loop;

import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.UnsafePathException;
import dev.stowage.linux.effect.Effects;
import dev.stowage.linux.file.FileHandle;
import dev.stowage.linux.internal.Descriptor;
import dev.stowage.linux.internal.Libc;
import dev.stowage.linux.internal.Stat;
import dev.stowage.linux.process.Openers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Attaches files to loop devices and finds them again. What a device has is told by device and inode, never by name. */
public final class LoopDevices {
    private static final long LOOP_CLR_FD = 0x4C01;
    private static final long LOOP_GET_STATUS64 = 0x4C05;
    private static final long LOOP_SET_CAPACITY = 0x4C07;
    private static final long LOOP_CONFIGURE = 0x4C0A;
    private static final long LOOP_CTL_GET_FREE = 0x4C82;
    private static final long BLKROSET = 0x125D;
    private static final long BLKROGET = 0x125E;
    private static final long BLKGETSIZE64 = 0x80081272L;

    private static final int CONFIG_BYTES = 304;
    private static final int CONFIG_FLAGS = 60;
    private static final int CONFIG_NAME = 64;
    private static final int NAME_BYTES = 64;
    private static final int STATUS_BYTES = 232;
    private static final int STATUS_FLAGS = 52;
    private static final int READ_ONLY = 1;
    private static final int AUTO_CLEAR = 4;

    private static final int MAJOR = 7;
    private static final int BLOCK_NODE = 0x6000 | 0600;
    private static final int ATTEMPTS = 1000;
    private static final long DETACH_PATIENCE_NANOS = 5_000_000_000L;
    private static final Path SYS_BLOCK = Path.of("/sys/block");
    private static final Path PARTITIONS = Path.of("/proc/partitions");

    /** What a device has whose file is served by a process that has ended: no file that there is, but something to be detached. */
    public static final FileHandle.Identity LOST = new FileHandle.Identity(-1, -1, -1);

    /** The kernel names the same free device to all who ask until one takes it; within this process nobody needs to race. */
    private static final ReentrantLock ATTACHING = new ReentrantLock();

    /**
     * How to attach.
     *
     * @param readOnly whether the device refuses writes
     * @param autoClear whether the device gives the file up when its last user closes it
     */
    public record Options(boolean readOnly, boolean autoClear) {}

    /**
     * A device that has a file. The name of the file is the one it has now, with a note when it was deleted.
     *
     * @param backing the file, or {@link #LOST}
     */
    public record Attached(
            int number, FileHandle.Identity backing, String backingFile, boolean readOnly, boolean autoClear) {}

    private LoopDevices() {}

    /** Gives a file to a free loop device, which is held open. The name is only a label for those who look. */
    public static LoopDevice attach(FileHandle file, Path fileName, Options options) {
        ATTACHING.lock();
        try (var control = Descriptor.open(Path.of("/dev/loop-control"), Libc.O_RDWR);
                var arena = Arena.ofConfined()) {
            var config = config(arena, file, fileName, options);
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                var number = Libc.check(
                        Libc.ioctl(control.number(), LOOP_CTL_GET_FREE, 0), "find a free loop device for", fileName);
                var device = configure(number, config, fileName, options);
                if (device != null) {
                    return device;
                }
            }
            throw new SyscallException("attach a loop device to", fileName.toString(), Errno.EBUSY.number());
        } finally {
            ATTACHING.unlock();
        }
    }

    /** The device that has this file, held open; of several, the one with the lowest number. */
    public static Optional<LoopDevice> find(FileHandle.Identity backing) {
        for (var number : numbers()) {
            var device = openIfPresent(number);
            if (device == null) {
                continue;
            }
            var held = false;
            try {
                var status = status(device);
                held = status != null && status.backing().equals(backing);
                if (held) {
                    return Optional.of(new LoopDevice(number, device));
                }
            } finally {
                if (!held) {
                    device.close();
                }
            }
        }
        return Optional.empty();
    }

    /** Every device that has a file, ours or not, by number. */
    public static List<Attached> attached() {
        var attached = new ArrayList<Attached>();
        for (var number : numbers()) {
            var status = status(number);
            if (status != null) {
                attached.add(new Attached(
                        number,
                        status.backing(),
                        backingFile(number),
                        (status.flags() & READ_ONLY) != 0,
                        (status.flags() & AUTO_CLEAR) != 0));
            }
        }
        return attached;
    }

    /** As {@link #detach(int, FileHandle.Identity)}; closes the handle first. */
    public static void detach(LoopDevice device, FileHandle.Identity expected) {
        device.close();
        detach(device.number(), expected);
    }

    /**
     * Takes the file from a device, if it is the expected one, and returns when it is gone. A device that is free, or that has
     * another file by now, is left alone. A device that is still in use is EBUSY, and gives the file up with its last user.
     */
    public static void detach(int number, FileHandle.Identity expected) {
        if (!release(number, expected)) {
            return;
        }
        var deadline = System.nanoTime() + DETACH_PATIENCE_NANOS;
        for (var status = status(number);
                status != null && status.backing().equals(expected);
                status = status(number)) {
            if (System.nanoTime() > deadline) {
                throw new SyscallException(
                        "detach",
                        node(number) + ", which processes " + Openers.othersOf(node(number)) + " have open",
                        Errno.EBUSY.number());
            }
            try {
                Thread.sleep(1);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new SyscallException("detach", node(number).toString(), Errno.EINTR.number());
            }
        }
    }

    /** Makes the device as long as its file is now. */
    public static void resize(int number) {
        try (var device = open(number, Libc.O_RDONLY)) {
            Effects.run(
                    "loop-resize",
                    device.path().toString(),
                    () -> Libc.check(Libc.ioctl(device.number(), LOOP_SET_CAPACITY, 0), "resize", device.path()));
        }
    }

    /** Makes the device refuse writes, or take them again. */
    public static void setReadOnly(int number, boolean readOnly) {
        try (var device = open(number, Libc.O_RDONLY)) {
            setReadOnly(device, readOnly);
        }
    }

    /** In bytes. */
    public static long size(int number) {
        try (var device = open(number, Libc.O_RDONLY);
                var arena = Arena.ofConfined()) {
            var size = arena.allocate(8, 8);
            Libc.check(Libc.ioctl(device.number(), BLKGETSIZE64, size.address()), "measure", device.path());
            return size.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    /** How far the kernel reads ahead on this device. */
    public static void setReadAhead(int number, int kibibytes) {
        var setting = SYS_BLOCK.resolve("loop" + number + "/queue/read_ahead_kb");
        Effects.run("set-readahead", setting.toString(), () -> {
            try {
                Files.writeString(setting, Integer.toString(kibibytes));
            } catch (IOException failure) {
                throw new UncheckedIOException("cannot set " + setting + " to " + kibibytes, failure);
            }
        });
    }

    /** Returns when all that was written to the device is on stable storage. */
    public static void flush(int number) {
        try (var device = open(number, Libc.O_RDONLY)) {
            Effects.run(
                    "sync",
                    device.path().toString(),
                    () -> Libc.check(Libc.fsync(device.number()), "flush", device.path()));
        }
    }

    static Path node(int number) {
        return Path.of("/dev/loop" + number);
    }

    private record Status(FileHandle.Identity backing, int flags) {}

    private static MemorySegment config(Arena arena, FileHandle file, Path fileName, Options options) {
        var config = arena.allocate(CONFIG_BYTES, 8);
        config.set(ValueLayout.JAVA_INT, 0, file.descriptor());
        config.set(
                ValueLayout.JAVA_INT,
                CONFIG_FLAGS,
                (options.readOnly() ? READ_ONLY : 0) | (options.autoClear() ? AUTO_CLEAR : 0));
        var name = fileName.toString().getBytes(StandardCharsets.UTF_8);
        var length = Math.min(name.length, NAME_BYTES - 1);
        MemorySegment.copy(name, 0, config, ValueLayout.JAVA_BYTE, CONFIG_NAME, length);
        return config;
    }

    /** The device with its file, or null when someone else took it first. */
    private static @Nullable LoopDevice configure(int number, MemorySegment config, Path fileName, Options options) {
        ensureNode(number);
        var device = open(number, options.readOnly() ? Libc.O_RDONLY : Libc.O_RDWR);
        try {
            boolean taken = Effects.perform("loop-attach", fileName.toString(), () -> {
                var result = Libc.ioctl(device.number(), LOOP_CONFIGURE, config.address());
                if (result == -Errno.EBUSY.number()) {
                    return false;
                }
                Libc.check(result, "attach " + device.path() + " to", fileName);
                return true;
            });
            if (!taken) {
                device.close();
                return null;
            }
            if (!options.readOnly()) {
                clearReadOnly(device);
            }
        } catch (RuntimeException | Error failure) {
            device.close();
            throw failure;
        }
        // Held for reading only: a kernel may refuse to mount what someone has open for writing.
        try (device) {
            return new LoopDevice(number, open(number, Libc.O_RDONLY));
        }
    }

    /** A device that was made read-only stays so when it gets another file, unlike all else that can be set. */
    private static void clearReadOnly(Descriptor device) {
        try (var arena = Arena.ofConfined()) {
            var value = arena.allocate(ValueLayout.JAVA_INT);
            Libc.check(Libc.ioctl(device.number(), BLKROGET, value.address()), "ask", device.path());
            if (value.get(ValueLayout.JAVA_INT, 0) != 0) {
                setReadOnly(device, false);
            }
        }
    }

    private static void setReadOnly(Descriptor device, boolean readOnly) {
        try (var arena = Arena.ofConfined()) {
            var value = arena.allocateFrom(ValueLayout.JAVA_INT, readOnly ? 1 : 0);
            Effects.run(
                    "set-readonly",
                    device.path().toString(),
                    () -> Libc.check(
                            Libc.ioctl(device.number(), BLKROSET, value.address()),
                            readOnly ? "make read-only" : "make writable",
                            device.path()));
        }
    }

    private static boolean release(int number, FileHandle.Identity expected) {
        try (var device = openIfPresent(number)) {
            if (device == null) {
                return false;
            }
            // While we hold the device open, nobody can give it another file: the check stays true until the next call.
            var status = status(device);
            if (status == null || !status.backing().equals(expected)) {
                return false;
            }
            // Otherwise whoever gets this number next, be it another program, finds it read-only.
            clearReadOnly(device);
            Effects.run("loop-detach", device.path().toString(), () -> {
                var result = Libc.ioctl(device.number(), LOOP_CLR_FD, 0);
                if (result != -Errno.ENXIO.number()) {
                    Libc.check(result, "detach", device.path());
                }
            });
            return true;
        }
    }

    private static @Nullable Status status(int number) {
        try (var device = openIfPresent(number)) {
            return device == null ? null : status(device);
        }
    }

    private static @Nullable Descriptor openIfPresent(int number) {
        var path = node(number);
        var opened = Libc.openat(Libc.AT_FDCWD, path.toString(), Libc.O_RDONLY, 0);
        if (opened == -Errno.ENOENT.number() && backed(number)) {
            ensureNode(number);
            opened = Libc.openat(Libc.AT_FDCWD, path.toString(), Libc.O_RDONLY, 0);
        }
        return gone(opened) ? null : new Descriptor(Libc.check(opened, "open", path), path);
    }

    private static @Nullable Status status(Descriptor device) {
        try (var arena = Arena.ofConfined()) {
            var status = arena.allocate(STATUS_BYTES, 8);
            var result = Libc.ioctl(device.number(), LOOP_GET_STATUS64, status.address());
            if (result == -Errno.ENXIO.number()) {
                return null;
            }
            if (result == -Errno.ENOTCONN.number() || result == -Errno.ECONNABORTED.number()) {
                return new Status(LOST, 0);
            }
            Libc.check(result, "ask", device.path());
            var number = status.get(ValueLayout.JAVA_LONG, 0);
            return new Status(
                    new FileHandle.Identity(
                            (int) ((number >> 8) & 0xFFF),
                            (int) ((number & 0xFF) | ((number >> 12) & 0xFFF00)),
                            status.get(ValueLayout.JAVA_LONG, 8)),
                    status.get(ValueLayout.JAVA_INT, STATUS_FLAGS));
        }
    }

    private static boolean gone(int opened) {
        return opened == -Errno.ENOENT.number() || opened == -Errno.ENXIO.number() || opened == -Errno.ENODEV.number();
    }

    /** Where nobody makes device nodes for us, as in a container with a /dev of its own, we make them. */
    private static void ensureNode(int number) {
        var path = node(number);
        var stat = Stat.unfilled();
        var result = stat.read(Libc.AT_FDCWD, path.toString());
        if (result == -Errno.ENOENT.number()) {
            Effects.run("create-file", path.toString(), () -> {
                var outcome = Libc.mknod(path.toString(), BLOCK_NODE, device(number));
                if (outcome != -Errno.EEXIST.number()) {
                    Libc.check(outcome, "make the device node", path);
                }
            });
            result = stat.read(Libc.AT_FDCWD, path.toString());
        }
        Libc.check(result, "stat", path);
        if (!stat.blockDevice() || stat.nodeMajor() != MAJOR || stat.nodeMinor() != number) {
            throw new UnsafePathException(path + " is not the node of loop device " + number);
        }
    }

    private static long device(int number) {
        return (MAJOR << 8) | (number & 0xFF) | ((long) (number & 0xFFF00) << 12);
    }

    private static Descriptor open(int number, int flags) {
        return Descriptor.open(node(number), flags);
    }

    /**
     * The devices that have a file. Free ones stay behind by the hundred and have no size; one read of this table leaves them out,
     * where looking at each would cost every caller a millisecond.
     */
    private static List<Integer> numbers() {
        try {
            var numbers = new ArrayList<Integer>();
            for (String line : Files.readAllLines(PARTITIONS)) {
                int name = line.lastIndexOf(" loop");
                if (name >= 0 && line.indexOf('p', name + " loop".length()) < 0) {
                    numbers.add(Integer.valueOf(line.substring(name + " loop".length())));
                }
            }
            numbers.sort(Comparator.naturalOrder());
            return numbers;
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot read " + PARTITIONS, failure);
        }
    }

    private static boolean backed(int number) {
        return Files.exists(SYS_BLOCK.resolve("loop" + number + "/loop/backing_file"));
    }

    private static String backingFile(int number) {
        try {
            var name = Files.readAllBytes(SYS_BLOCK.resolve("loop" + number + "/loop/backing_file"));
            return new String(name, StandardCharsets.UTF_8).stripTrailing();
        } catch (IOException detachedMeanwhile) {
            // Not only by not being there: while a device is taken down, reading what it has fails with ENODEV.
            return "";
        }
    }
}
