package dev.stowage.node;

import dev.stowage.linux.filesystem.FilesystemType;
import java.util.List;

/** Says early, when a volume is made, what would be refused when it is staged. */
public final class FilesystemOptions {

    private FilesystemOptions() {}

    /** Refuses options that a volume with that filesystem may not have. */
    public static void require(FilesystemType type, String mkfsOptions, List<String> mountOptions) {
        MkfsOptions.parse(type, mkfsOptions);
        MountOptions.parse(type, mountOptions, false);
    }
}
