package dev.stowage.core.backend;

import dev.stowage.core.id.SnapshotId;

/** Which ranges of a snapshot hold data, and which differ from an older snapshot of the same volume. */
public interface ChangedBlocks {

    /** Receives ranges in rising order that never overlap. */
    interface Ranges {
        void range(long offset, long length);
    }

    /** Ranges that are found while they are streamed; nothing of a large snapshot is gathered in memory. */
    interface Listing {
        long volumeSizeBytes();

        void stream(Ranges ranges);
    }

    Listing allocated(SnapshotId snapshot, long from);

    Listing changed(SnapshotId base, SnapshotId target, long from);
}
