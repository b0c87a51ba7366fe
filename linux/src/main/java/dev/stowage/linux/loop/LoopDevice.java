package dev.stowage.linux.loop;

import dev.stowage.linux.internal.Descriptor;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A loop device that has a file. Made with automatic clearing, it lasts while this handle is open or the device is otherwise in
 * use; otherwise it lasts until it is detached, and closing this handle changes nothing.
 */
public final class LoopDevice implements AutoCloseable {
    private final int number;
    private final @Nullable Descriptor keeper;

    LoopDevice(int number, @Nullable Descriptor keeper) {
        this.number = number;
        this.keeper = keeper;
    }

    public int number() {
        return number;
    }

    public Path path() {
        return LoopDevices.node(number);
    }

    @Override
    public void close() {
        if (keeper != null) {
            keeper.close();
        }
    }
}
