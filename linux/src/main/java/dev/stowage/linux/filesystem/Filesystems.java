package dev.stowage.linux.filesystem;

import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

public final class Filesystems {
    private Filesystems() {}

    public static Signature probe(Path device) {
        throw new UnsupportedOperationException();
    }

    public static void format(
            Path device, FilesystemType type, UUID uuid, List<String> extraOptions, @Nullable String label) {
        throw new UnsupportedOperationException();
    }

    public static void grow(FilesystemType type, Path device, Path mountPoint) {
        throw new UnsupportedOperationException();
    }

    public static boolean changeUuid(FilesystemType type, Path device, UUID uuid) {
        throw new UnsupportedOperationException();
    }

    public static Usage usage(Path path) {
        throw new UnsupportedOperationException();
    }

    public static void freeze(Path mountPoint) {
        throw new UnsupportedOperationException();
    }

    public static boolean thaw(Path mountPoint) {
        throw new UnsupportedOperationException();
    }
}
