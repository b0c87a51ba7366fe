package dev.stowage.linux.file;

import java.nio.file.Path;
import java.util.List;

public final class Directory implements AutoCloseable {
    private Directory() {}

    public static Directory open(Path path) {
        throw new UnsupportedOperationException();
    }

    public Directory child(String name) {
        throw new UnsupportedOperationException();
    }

    public Directory createChild(String name, int mode) {
        throw new UnsupportedOperationException();
    }

    public FileHandle create(String name) {
        throw new UnsupportedOperationException();
    }

    public FileHandle open(String name, boolean write) {
        throw new UnsupportedOperationException();
    }

    public boolean exists(String name) {
        throw new UnsupportedOperationException();
    }

    public boolean unlink(String name) {
        throw new UnsupportedOperationException();
    }

    public void rename(String from, String to) {
        throw new UnsupportedOperationException();
    }

    public boolean removeChild(String name) {
        throw new UnsupportedOperationException();
    }

    public List<String> names() {
        throw new UnsupportedOperationException();
    }

    public void sync() {
        throw new UnsupportedOperationException();
    }

    public Path path() {
        throw new UnsupportedOperationException();
    }

    public Path path(String name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
