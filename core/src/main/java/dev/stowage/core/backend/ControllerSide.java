package dev.stowage.core.backend;

import java.util.Optional;

/** What can be done to volumes from anywhere: every storage has volumes, the rest it may lack. */
public interface ControllerSide {

    Volumes volumes();

    default Optional<Attachments> attachments() {
        return Optional.empty();
    }

    default Optional<Capacity> capacity() {
        return Optional.empty();
    }

    default Optional<Expansion> expansion() {
        return Optional.empty();
    }

    default Optional<Modification> modification() {
        return Optional.empty();
    }

    default Optional<Snapshots> snapshots() {
        return Optional.empty();
    }

    default Optional<GroupSnapshots> groupSnapshots() {
        return Optional.empty();
    }

    default Optional<ChangedBlocks> changedBlocks() {
        return Optional.empty();
    }

    default Optional<Health> health() {
        return Optional.empty();
    }

    /** Whether a volume or a snapshot may be usable from some places only. */
    default boolean topologyConstrained() {
        return false;
    }
}
