package dev.stowage.core.backend;

import dev.stowage.core.volume.Topology;
import dev.stowage.core.volume.VolumeUse;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How much can still be had. */
public interface Capacity {

    /** What a volume with these parameters could take, and the sizes that are possible. */
    record Answer(long availableBytes, long smallestVolume, long largestVolume) {}

    Answer available(List<VolumeUse> uses, Map<String, String> parameters, Optional<Topology> place);
}
