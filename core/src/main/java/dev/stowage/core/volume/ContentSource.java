package dev.stowage.core.volume;

import dev.stowage.core.id.SnapshotId;
import dev.stowage.core.id.VolumeId;

/** What a new volume starts with. */
public sealed interface ContentSource {

    record OfSnapshot(SnapshotId snapshot) implements ContentSource {}

    record OfVolume(VolumeId volume) implements ContentSource {}
}
