package dev.stowage.linux.loop;

import dev.stowage.linux.internal.Libc;
import java.nio.file.Path;

/** A loop device that is held open, so that one which goes with its last user does not go yet. */
public final class LoopDevice implements AutoCloseable {

    private final int number;
    private final int descriptor;
    private boolean closed;

    LoopDevice(int number, int descriptor) {
        this.number = number;
        this.descriptor = descriptor;
    }

    public int number() {
        return number;
    }

    public Path path() {
        return LoopDevices.path(number);
    }

    int descriptor() {
        return descriptor;
    }

    /** Lets go; a persistent device stays attached, an automatic one stays while it is mounted. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            Libc.close(descriptor);
        }
    }
}
