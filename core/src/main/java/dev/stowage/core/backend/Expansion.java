package dev.stowage.core.backend;

import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.SizeRange;
import dev.stowage.core.volume.VolumeUse;
import java.util.Optional;

/** Volumes grow, while in use or not; they never shrink. */
public interface Expansion {

    record Expanded(long sizeBytes, boolean nodeHasToFollow) {}

    Expanded expand(VolumeId volume, SizeRange size, Optional<VolumeUse> use);
}
