package dev.stowage.linux.file;

import java.nio.ByteBuffer;
import java.nio.file.Path;

public final class FileHandle implements AutoCloseable {
    public record Identity(int major, int minor, long inode) {}

    private FileHandle() {}

    public Path path() {
        throw new UnsupportedOperationException();
    }

    public int descriptor() {
        throw new UnsupportedOperationException();
    }

    public long size() {
        throw new UnsupportedOperationException();
    }

    public long allocatedBytes() {
        throw new UnsupportedOperationException();
    }

    public Identity identity() {
        throw new UnsupportedOperationException();
    }

    public void truncate(long size) {
        throw new UnsupportedOperationException();
    }

    public void allocate(long offset, long length) {
        throw new UnsupportedOperationException();
    }

    public boolean unshare(long offset, long length) {
        throw new UnsupportedOperationException();
    }

    public void punch(long offset, long length) {
        throw new UnsupportedOperationException();
    }

    public void cloneFrom(FileHandle source) {
        throw new UnsupportedOperationException();
    }

    public void sync() {
        throw new UnsupportedOperationException();
    }

    public int read(ByteBuffer buffer, long offset) {
        throw new UnsupportedOperationException();
    }

    public void write(ByteBuffer buffer, long offset) {
        throw new UnsupportedOperationException();
    }

    public long nextData(long offset) {
        throw new UnsupportedOperationException();
    }

    public long nextHole(long offset) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
