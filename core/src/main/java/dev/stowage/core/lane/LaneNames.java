package dev.stowage.core.lane;

import dev.stowage.core.id.GroupSnapshotId;
import dev.stowage.core.id.RequestName;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.lane.Lanes.Wish;

/** The lanes there are. A name has a lane of its own, because before a thing is made it has no id. */
public final class LaneNames {

    private LaneNames() {}

    public static Wish volume(VolumeId volume) {
        return Wish.exclusive("volume", volume);
    }

    public static Wish volumeName(RequestName name) {
        return Wish.exclusive("volume name", name);
    }

    public static Wish snapshot(SnapshotId snapshot) {
        return Wish.exclusive("snapshot", snapshot);
    }

    /** For those who only read a snapshot: several may, but nobody deletes it meanwhile. */
    public static Wish snapshotShared(SnapshotId snapshot) {
        return Wish.shared("snapshot", snapshot);
    }

    public static Wish snapshotName(RequestName name) {
        return Wish.exclusive("snapshot name", name);
    }

    public static Wish group(GroupSnapshotId group) {
        return Wish.exclusive("group snapshot", group);
    }

    public static Wish groupName(RequestName name) {
        return Wish.exclusive("group snapshot name", name);
    }
}
