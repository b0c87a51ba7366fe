package dev.stowage.core.id;

/** Names a snapshot of several volumes taken at one instant. */
public record GroupSnapshotId(String value) implements Comparable<GroupSnapshotId> {

    private static final int MAXIMUM_BYTES = 128;

    public GroupSnapshotId {
        SafeText.word("group snapshot id", value, MAXIMUM_BYTES);
    }

    @Override
    public int compareTo(GroupSnapshotId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
