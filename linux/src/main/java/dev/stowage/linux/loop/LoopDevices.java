package dev.stowage.linux.loop;

import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.effect.Effects;
import dev.stowage.linux.file.FileHandle;
import dev.stowage.linux.internal.DirectoryEntries;
import dev.stowage.linux.internal.Libc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Files as block devices. */
public final class LoopDevices {

    private static final long GET_FREE = 0x4C82;
    private static final long CONFIGURE = 0x4C0A;
    private static final long CLEAR = 0x4C01;
    private static final long GET_STATUS = 0x4C05;
    private static final long SET_CAPACITY = 0x4C07;
    private static final long SET_READ_ONLY = 0x125D;
    private static final long GET_SIZE = 0x80081272L;
    private static final int FLAG_READ_ONLY = 1;
    private static final int FLAG_AUTO_CLEAR = 4;
    private static final int CONFIG_SIZE = 304;
    private static final int STATUS_SIZE = 232;
    private static final int NAME_SIZE = 64;
    private static final int READ_WRITE = 2;
    private static final int CLOSE_ON_EXEC = 0x80000;
    private static final int MAJOR = 7;
    private static final int BLOCK_DEVICE = 0x6000;
    private static final int ATTEMPTS = 1000;
    private static final Duration DETACH = Duration.ofSeconds(10);
    private static final Path SYSTEM = Path.of("/sys/block");

    private LoopDevices() {}

    public record Options(boolean readOnly, boolean autoClear) {}

    public record Attached(
            int number, FileHandle.Identity backing, String backingFile, boolean readOnly, boolean autoClear) {}

    static Path path(int number) {
        return Path.of("/dev/loop" + number);
    }

    /**
     * Attaches a file.
     *
     * @param fileName what the device says it is backed by
     * @return the device, held open
     */
    public static LoopDevice attach(FileHandle file, Path fileName, Options options) {
        return Effects.perform("loop-attach", fileName.toString(), () -> {
            try (Arena arena = Arena.ofConfined()) {
                var config = config(arena, file, fileName, options);
                for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                    int number = free(arena);
                    int descriptor = open(number);
                    int outcome = Libc.ioctl(descriptor, CONFIGURE, config);
                    if (outcome >= 0) {
                        return new LoopDevice(number, descriptor);
                    }
                    Libc.close(descriptor);
                    // Somebody else took the number that the kernel offered to both of us.
                    if (outcome != -Errno.EBUSY.number()) {
                        throw new SyscallException("attach loop device to", fileName.toString(), -outcome);
                    }
                }
                throw new SyscallException("attach loop device to", fileName.toString(), Errno.EBUSY.number());
            }
        });
    }

    private static MemorySegment config(Arena arena, FileHandle file, Path fileName, Options options) {
        var config = arena.allocate(CONFIG_SIZE, 8);
        config.set(ValueLayout.JAVA_INT, 0, file.descriptor());
        config.set(
                ValueLayout.JAVA_INT,
                60,
                (options.readOnly() ? FLAG_READ_ONLY : 0) | (options.autoClear() ? FLAG_AUTO_CLEAR : 0));
        byte[] name = fileName.toString().getBytes(StandardCharsets.UTF_8);
        byte[] shown = Arrays.copyOfRange(name, Math.max(0, name.length - (NAME_SIZE - 1)), name.length);
        MemorySegment.copy(shown, 0, config, ValueLayout.JAVA_BYTE, 64, shown.length);
        return config;
    }

    private static int free(Arena arena) {
        int control = Libc.open(arena.allocateFrom("/dev/loop-control"), READ_WRITE | CLOSE_ON_EXEC, 0);
        if (control < 0) {
            throw new SyscallException("open", "/dev/loop-control", -control);
        }
        try {
            int number = Libc.ioctl(control, GET_FREE, 0L);
            if (number < 0) {
                throw new SyscallException("find a free loop device in", "/dev/loop-control", -number);
            }
            return number;
        } finally {
            Libc.close(control);
        }
    }

    private static int open(int number) {
        try (Arena arena = Arena.ofConfined()) {
            var path = arena.allocateFrom(path(number).toString());
            int descriptor = Libc.open(path, READ_WRITE | CLOSE_ON_EXEC, 0);
            if (descriptor == -Errno.ENOENT.number()) {
                // In a container /dev may be a snapshot of the host's that does not know new devices.
                Libc.mknodat(
                        Libc.AT_FDCWD,
                        path,
                        BLOCK_DEVICE | 0600,
                        ((long) MAJOR << 8) | (number & 0xff) | ((long) (number & ~0xff) << 12));
                descriptor = Libc.open(path, READ_WRITE | CLOSE_ON_EXEC, 0);
            }
            if (descriptor == -Errno.EROFS.number() || descriptor == -Errno.EACCES.number()) {
                descriptor = Libc.open(path, CLOSE_ON_EXEC, 0);
            }
            if (descriptor < 0) {
                throw new SyscallException("open", path(number).toString(), -descriptor);
            }
            return descriptor;
        }
    }

    /** The device that a file is attached as, held open. */
    public static Optional<LoopDevice> find(FileHandle.Identity backing) {
        for (int number : bound()) {
            int descriptor = open(number);
            var status = status(number, descriptor, "");
            if (status.isPresent() && status.get().backing().equals(backing)) {
                return Optional.of(new LoopDevice(number, descriptor));
            }
            Libc.close(descriptor);
        }
        return Optional.empty();
    }

    public static List<Attached> attached() {
        var attached = new ArrayList<Attached>();
        for (int number : bound()) {
            var file = backingFile(number);
            if (file.isEmpty()) {
                continue;
            }
            int descriptor = open(number);
            try {
                status(number, descriptor, file.get()).ifPresent(attached::add);
            } finally {
                Libc.close(descriptor);
            }
        }
        return attached;
    }

    /** The numbers of the devices that are attached to something. */
    private static List<Integer> bound() {
        var numbers = new ArrayList<Integer>();
        try (Arena arena = Arena.ofConfined()) {
            int directory = Libc.open(arena.allocateFrom(SYSTEM.toString()), CLOSE_ON_EXEC, 0);
            if (directory < 0) {
                throw new SyscallException("open", SYSTEM.toString(), -directory);
            }
            try (var entries = new DirectoryEntries(directory, SYSTEM.toString())) {
                while (entries.next()) {
                    String name = entries.name();
                    if (name.startsWith("loop")
                            && Files.exists(SYSTEM.resolve(name).resolve("loop"))) {
                        numbers.add(Integer.parseInt(name.substring("loop".length())));
                    }
                }
            } finally {
                Libc.close(directory);
            }
        }
        return numbers;
    }

    private static Optional<String> backingFile(int number) {
        try {
            return Optional.of(Files.readString(SYSTEM.resolve("loop" + number).resolve("loop/backing_file"))
                    .strip());
        } catch (NoSuchFileException notAttached) {
            return Optional.empty();
        } catch (IOException failure) {
            // The attribute answers with an error while the device is being taken down.
            return Optional.empty();
        }
    }

    private static Optional<Attached> status(int number, int descriptor, String backingFile) {
        try (Arena arena = Arena.ofConfined()) {
            var status = arena.allocate(STATUS_SIZE, 8);
            int outcome = Libc.ioctl(descriptor, GET_STATUS, status);
            if (outcome == -Errno.ENXIO.number()) {
                return Optional.empty();
            }
            if (outcome < 0) {
                throw new SyscallException("ask for the status of", path(number).toString(), -outcome);
            }
            long device = status.get(ValueLayout.JAVA_LONG, 0);
            int flags = status.get(ValueLayout.JAVA_INT, 52);
            return Optional.of(new Attached(
                    number,
                    new FileHandle.Identity(
                            (int) ((device >> 8) & 0xfff),
                            (int) ((device & 0xff) | ((device >> 12) & 0xfff00)),
                            status.get(ValueLayout.JAVA_LONG, 8)),
                    backingFile,
                    (flags & FLAG_READ_ONLY) != 0,
                    (flags & FLAG_AUTO_CLEAR) != 0));
        }
    }

    public static void detach(LoopDevice device, FileHandle.Identity expected) {
        device.close();
        detach(device.number(), expected);
    }

    /** Detaches the device if it is backed by the expected file, and waits until it is really gone. Any other device stays. */
    public static void detach(int number, FileHandle.Identity expected) {
        if (backingFile(number).isEmpty()) {
            return;
        }
        int descriptor = open(number);
        try {
            var status = status(number, descriptor, "");
            if (status.isEmpty() || !status.get().backing().equals(expected)) {
                return;
            }
            Effects.run("loop-detach", path(number).toString(), () -> {
                int outcome = Libc.ioctl(descriptor, CLEAR, 0L);
                if (outcome < 0 && outcome != -Errno.ENXIO.number()) {
                    throw new SyscallException("detach", path(number).toString(), -outcome);
                }
            });
        } finally {
            Libc.close(descriptor);
        }
        awaitGone(number, expected);
    }

    private static void awaitGone(int number, FileHandle.Identity expected) {
        long deadline = System.nanoTime() + DETACH.toNanos();
        while (backingFile(number).isPresent()) {
            int descriptor = open(number);
            var status = status(number, descriptor, "");
            Libc.close(descriptor);
            if (status.isEmpty() || !status.get().backing().equals(expected)) {
                return;
            }
            if (System.nanoTime() > deadline) {
                throw new SyscallException(
                        "detach", path(number) + " (something still has it open)", Errno.EBUSY.number());
            }
            try {
                Thread.sleep(1);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new SyscallException("detach", path(number).toString(), Errno.EINTR.number());
            }
        }
    }

    /** Makes the device as large as its file now is. */
    public static void resize(int number) {
        Effects.run("loop-resize", path(number).toString(), () -> control(number, "resize", SET_CAPACITY, 0L));
    }

    public static void setReadOnly(int number, boolean readOnly) {
        Effects.run("set-readonly", path(number) + " " + readOnly, () -> {
            try (Arena arena = Arena.ofConfined()) {
                var value = arena.allocateFrom(ValueLayout.JAVA_INT, readOnly ? 1 : 0);
                control(number, "set the read-only state of", SET_READ_ONLY, value.address());
            }
        });
    }

    public static long size(int number) {
        try (Arena arena = Arena.ofConfined()) {
            var size = arena.allocate(8, 8);
            control(number, "ask for the size of", GET_SIZE, size.address());
            return size.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    private static void control(int number, String what, long request, long argument) {
        int descriptor = open(number);
        try {
            int outcome = Libc.ioctl(descriptor, request, argument);
            if (outcome < 0) {
                throw new SyscallException(what, path(number).toString(), -outcome);
            }
        } finally {
            Libc.close(descriptor);
        }
    }

    public static void setReadAhead(int number, int kibibytes) {
        Path setting = SYSTEM.resolve("loop" + number).resolve("queue/read_ahead_kb");
        Effects.run("read-ahead", setting.toString(), () -> {
            try {
                Files.writeString(setting, Integer.toString(kibibytes));
            } catch (IOException failure) {
                throw new UncheckedIOException("cannot set " + setting, failure);
            }
        });
    }

    /** Writes out what is still in memory for the device. */
    public static void flush(int number) {
        int descriptor = open(number);
        try {
            int outcome = Libc.fsync(descriptor);
            if (outcome < 0) {
                throw new SyscallException("fsync", path(number).toString(), -outcome);
            }
        } finally {
            Libc.close(descriptor);
        }
    }
}
