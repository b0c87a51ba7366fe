package dev.stowage.core.id;

/** Names a volume for good; a deleted volume's id is never given out again. */
public record VolumeId(String value) implements Comparable<VolumeId> {

    private static final int MAXIMUM_BYTES = 128;

    public VolumeId {
        SafeText.word("volume id", value, MAXIMUM_BYTES);
    }

    @Override
    public int compareTo(VolumeId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
