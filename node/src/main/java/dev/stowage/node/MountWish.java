package dev.stowage.node;

import dev.stowage.node.record.UseRecord;
import java.util.Optional;

/** What somebody wants to see at a path: a filesystem on the volume's device, or the one that a server exports. */
sealed interface MountWish permits FilesystemWish, ExportWish {

    MountOptions options();

    Optional<Integer> group();

    UseRecord use();

    default boolean readOnly() {
        return options().readOnly();
    }
}
