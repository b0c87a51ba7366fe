package dev.stowage.core.volume;

import java.util.List;
import java.util.Optional;

/** How a volume is to be used: as a device or through a filesystem, and by whom at the same time. */
public record VolumeUse(Access access, AccessMode mode) {

    public sealed interface Access {}

    /** The raw device. */
    public record Block() implements Access {}

    /**
     * A mounted filesystem.
     *
     * @param filesystem the wanted type, empty for the backend's default
     * @param mountFlags options for the mount
     * @param group the group that shall own what is in it
     */
    public record Mount(String filesystem, List<String> mountFlags, Optional<Integer> group) implements Access {
        public Mount {
            mountFlags = List.copyOf(mountFlags);
        }
    }

    public boolean block() {
        return access instanceof Block;
    }
}
