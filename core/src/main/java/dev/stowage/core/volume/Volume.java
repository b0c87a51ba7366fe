package dev.stowage.core.volume;

import dev.stowage.core.id.NodeId;
import dev.stowage.core.id.VolumeId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A volume as the outside sees it.
 *
 * @param context what the node needs to know about it, readable by everybody
 * @param publishedTo the nodes it is attached to
 */
public record Volume(
        VolumeId id,
        long sizeBytes,
        Map<String, String> context,
        Optional<ContentSource> source,
        List<Topology> topology,
        Set<NodeId> publishedTo) {

    public Volume {
        context = Map.copyOf(context);
        topology = List.copyOf(topology);
        publishedTo = Set.copyOf(publishedTo);
    }
}
