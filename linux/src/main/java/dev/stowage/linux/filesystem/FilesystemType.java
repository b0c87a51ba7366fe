package dev.stowage.linux.filesystem;

public enum FilesystemType {
    EXT4,
    XFS,
    BTRFS;

    public static FilesystemType parse(String name) {
        throw new UnsupportedOperationException();
    }
    /** The name that mount(2) and users know it by. */
    public String mountName() {
        throw new UnsupportedOperationException();
    }
}
