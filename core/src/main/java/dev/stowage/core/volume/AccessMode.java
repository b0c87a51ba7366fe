package dev.stowage.core.volume;

/** Who may use a volume at the same time. */
public enum AccessMode {
    SINGLE_NODE_WRITER,
    SINGLE_NODE_READER_ONLY,
    SINGLE_NODE_SINGLE_WRITER,
    SINGLE_NODE_MULTI_WRITER,
    MULTI_NODE_READER_ONLY,
    MULTI_NODE_SINGLE_WRITER,
    MULTI_NODE_MULTI_WRITER;

    public boolean readOnly() {
        return this == SINGLE_NODE_READER_ONLY || this == MULTI_NODE_READER_ONLY;
    }

    /** Whether a node may show the volume at several targets; SINGLE_NODE_WRITER means one, as it does for CSI since it has a word for both. */
    public boolean severalTargets() {
        return this == SINGLE_NODE_MULTI_WRITER || severalNodes();
    }

    /** The same number of users, who may only read. */
    public AccessMode forReading() {
        return severalTargets() ? MULTI_NODE_READER_ONLY : SINGLE_NODE_READER_ONLY;
    }

    public boolean severalNodes() {
        return this == MULTI_NODE_READER_ONLY || this == MULTI_NODE_SINGLE_WRITER || this == MULTI_NODE_MULTI_WRITER;
    }
}
