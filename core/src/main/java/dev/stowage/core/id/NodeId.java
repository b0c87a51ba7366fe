package dev.stowage.core.id;

/** Names a node as the orchestrator knows it. */
public record NodeId(String value) implements Comparable<NodeId> {

    private static final int MAXIMUM_BYTES = 256;

    public NodeId {
        SafeText.word("node id", value, MAXIMUM_BYTES);
    }

    @Override
    public int compareTo(NodeId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
