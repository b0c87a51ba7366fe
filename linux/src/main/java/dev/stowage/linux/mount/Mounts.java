package dev.stowage.linux.mount;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

public final class Mounts {
    private Mounts() {}

    public static void mount(Path device, Path target, String type, List<String> options) {
        throw new UnsupportedOperationException();
    }

    public static void bind(Path source, Path target, boolean readOnly) {
        throw new UnsupportedOperationException();
    }

    public static void unmount(Path target) {
        throw new UnsupportedOperationException();
    }

    public static List<MountPoint> all() {
        throw new UnsupportedOperationException();
    }

    public static Optional<MountPoint> at(Path target) {
        throw new UnsupportedOperationException();
    }

    public static List<MountPoint> ofDevice(int major, int minor) {
        throw new UnsupportedOperationException();
    }

    public static Optional<MountRoot> mountRoot(Path target) {
        throw new UnsupportedOperationException();
    }

    public static boolean ensureDirectory(Path target) {
        throw new UnsupportedOperationException();
    }

    public static boolean ensureFile(Path target) {
        throw new UnsupportedOperationException();
    }

    public static void removeTarget(Path target) {
        throw new UnsupportedOperationException();
    }
}
