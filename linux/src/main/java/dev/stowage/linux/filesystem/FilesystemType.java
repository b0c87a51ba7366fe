package dev.stowage.linux.filesystem;

/** The filesystems that volumes can have. */
public enum FilesystemType {
    EXT4("ext4"),
    XFS("xfs"),
    BTRFS("btrfs");

    private final String mountName;

    FilesystemType(String mountName) {
        this.mountName = mountName;
    }

    public static FilesystemType parse(String name) {
        for (FilesystemType type : values()) {
            if (type.mountName.equals(name)) {
                return type;
            }
        }
        throw new IllegalArgumentException("not one of ext4, xfs and btrfs");
    }

    /** The name that mount(2) and users know it by. */
    public String mountName() {
        return mountName;
    }
}
