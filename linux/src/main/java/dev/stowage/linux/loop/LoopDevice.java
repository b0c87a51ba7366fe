package dev.stowage.linux.loop;

import java.nio.file.Path;

public final class LoopDevice implements AutoCloseable {
    private LoopDevice() {}

    public int number() {
        throw new UnsupportedOperationException();
    }

    public Path path() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
