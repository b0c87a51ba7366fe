package dev.stowage.linux.mount;

import java.nio.file.Path;
import java.util.Set;

/** One line of the kernel's mount table. */
public record MountPoint(
        int id,
        int parent,
        int major,
        int minor,
        String root,
        Path target,
        Set<String> options,
        String type,
        String source,
        Set<String> superOptions) {
    public MountPoint {
        options = Set.copyOf(options);
        superOptions = Set.copyOf(superOptions);
    }

    /** Whether writes are refused, by this mount or by the filesystem as a whole. */
    public boolean readOnly() {
        return options.contains("ro") || superOptions.contains("ro");
    }
}
