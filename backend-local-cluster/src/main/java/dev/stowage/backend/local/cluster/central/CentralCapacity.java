package dev.stowage.backend.local.cluster.central;

import dev.stowage.backend.local.volume.LocalCapacity;
import dev.stowage.backend.local.volume.VolumeParameters;
import dev.stowage.core.backend.Capacity;
import dev.stowage.core.volume.Topology;
import dev.stowage.core.volume.VolumeUse;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the pools that answer could give, each by its own account. A volume is in one pool, so the largest is the largest of one. */
final class CentralCapacity implements Capacity {

    private final Cluster cluster;

    CentralCapacity(Cluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public Answer available(List<VolumeUse> uses, Map<String, String> parameters, Optional<Topology> place) {
        long smallest = VolumeParameters.parse(parameters, Map.of()).smallestSize(uses);
        cluster.requireReady();
        return cluster.pools()
                .filter(pool -> cluster.nodes().answers(pool.getSpec().node()))
                .map(pool -> LocalCapacity.answer(
                        uses,
                        parameters,
                        place,
                        cluster.place(pool.getSpec().node()),
                        thick -> Placement.room(pool, thick)))
                .reduce(new Answer(0, smallest, 0), CentralCapacity::together);
    }

    private static Answer together(Answer one, Answer other) {
        return new Answer(
                one.availableBytes() + other.availableBytes(),
                one.smallestVolume(),
                Math.max(one.largestVolume(), other.largestVolume()));
    }
}
