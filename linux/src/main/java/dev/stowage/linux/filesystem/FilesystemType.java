package dev.stowage.linux.filesystem;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The filesystems that we make and mount. */
public enum FilesystemType {
    EXT4,
    XFS,
    BTRFS;

    /** Reads a name as users write it. */
    public static FilesystemType parse(String name) {
        for (var type : values()) {
            if (type.mountName().equals(name)) {
                return type;
            }
        }
        throw new IllegalArgumentException("unknown filesystem type \"%s\"; known are %s"
                .formatted(
                        name,
                        Arrays.stream(values()).map(FilesystemType::mountName).collect(Collectors.joining(", "))));
    }

    /** The name that users and the kernel know it by. */
    public String mountName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
