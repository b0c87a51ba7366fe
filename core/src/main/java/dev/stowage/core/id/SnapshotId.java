package dev.stowage.core.id;

/** Names a snapshot for good. */
public record SnapshotId(String value) implements Comparable<SnapshotId> {

    private static final int MAXIMUM_BYTES = 128;

    public SnapshotId {
        SafeText.word("snapshot id", value, MAXIMUM_BYTES);
    }

    @Override
    public int compareTo(SnapshotId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
