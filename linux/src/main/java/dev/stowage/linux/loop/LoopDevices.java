package dev.stowage.linux.loop;

import dev.stowage.linux.file.FileHandle;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

public final class LoopDevices {
    private LoopDevices() {}

    public record Options(boolean readOnly, boolean autoClear) {}

    public record Attached(
            int number, FileHandle.Identity backing, String backingFile, boolean readOnly, boolean autoClear) {}

    public static LoopDevice attach(FileHandle file, Path fileName, Options options) {
        throw new UnsupportedOperationException();
    }

    public static Optional<LoopDevice> find(FileHandle.Identity backing) {
        throw new UnsupportedOperationException();
    }

    public static List<Attached> attached() {
        throw new UnsupportedOperationException();
    }

    public static void detach(LoopDevice device, FileHandle.Identity expected) {
        throw new UnsupportedOperationException();
    }

    public static void detach(int number, FileHandle.Identity expected) {
        throw new UnsupportedOperationException();
    }

    public static void resize(int number) {
        throw new UnsupportedOperationException();
    }

    public static void setReadOnly(int number, boolean readOnly) {
        throw new UnsupportedOperationException();
    }

    public static long size(int number) {
        throw new UnsupportedOperationException();
    }

    public static void setReadAhead(int number, int kibibytes) {
        throw new UnsupportedOperationException();
    }

    public static void flush(int number) {
        throw new UnsupportedOperationException();
    }
}
