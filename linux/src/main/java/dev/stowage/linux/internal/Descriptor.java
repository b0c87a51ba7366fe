package dev.stowage.linux.internal;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** An open file descriptor that is closed exactly once, also when two threads try. */
public final class Descriptor implements AutoCloseable {
    private final AtomicInteger number;
    private final Path path;

    public Descriptor(int number, Path path) {
        this.number = new AtomicInteger(number);
        this.path = path;
    }

    /** Opens a path as it is, following symbolic links. */
    public static Descriptor open(Path path, int flags) {
        return new Descriptor(Libc.check(Libc.openat(Libc.AT_FDCWD, path.toString(), flags, 0), "open", path), path);
    }

    public int number() {
        var current = number.get();
        if (current < 0) {
            throw new IllegalStateException(path + " is closed already");
        }
        return current;
    }

    public Path path() {
        return path;
    }

    /** A path by which the kernel reaches just what this descriptor holds, wherever its name leads by now. */
    public String magicPath() {
        return "/proc/self/fd/" + number();
    }

    @Override
    public void close() {
        var current = number.getAndSet(-1);
        if (current >= 0) {
            Libc.check(Libc.close(current), "close", path);
        }
    }
}
