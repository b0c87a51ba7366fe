package dev.stowage.linux.loop;

import dev.stowage.linux.internal.Descriptor;
import java.nio.file.Path;

/**
 * A loop device that has a file, held open: it cannot be taken away while this handle is. Made with automatic clearing, it goes
 * with its last user, who may be this handle; otherwise it lasts until it is detached. A handle must be closed.
 */
public final class LoopDevice implements AutoCloseable {
    private final int number;
    private final Descriptor opened;

    LoopDevice(int number, Descriptor opened) {
        this.number = number;
        this.opened = opened;
    }

    public int number() {
        return number;
    }

    public Path path() {
        return LoopDevices.node(number);
    }

    @Override
    public void close() {
        opened.close();
    }
}
