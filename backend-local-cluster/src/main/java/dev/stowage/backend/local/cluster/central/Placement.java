package dev.stowage.backend.local.cluster.central;

import dev.stowage.backend.local.volume.VolumeParameters;
import dev.stowage.backend.local.volume.VolumeRules;
import dev.stowage.core.backend.Volumes;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.volume.Sizes;
import dev.stowage.core.volume.Topology;
import dev.stowage.core.volume.TopologyRequirement;
import dev.stowage.kube.local.LocalPool;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Which node gets a new volume: the one that the scheduler selected for its pod. If there is none, of those that are allowed the
 * first preferred one that answers and has room; else the roomiest.
 */
final class Placement {

    private final Cluster cluster;
    private final Claims claims;

    Placement(Cluster cluster, Claims claims) {
        this.cluster = cluster;
        this.claims = claims;
    }

    /** @param refused nodes that said no meanwhile */
    String blank(Volumes.Wanted wanted, VolumeParameters parameters, Map<String, StowageException> refused) {
        long size = VolumeRules.blankSize(wanted, parameters);
        var reasons = new ArrayList<String>();
        // Elsewhere, the volume would keep its pod from ever starting if the pod may run on that node only.
        var selected = claims.selectedNode(wanted.parameters());
        for (LocalPool pool : candidates(wanted.topology(), parameters.thick(), selected)) {
            String node = pool.getSpec().node();
            var silence = cluster.nodes().silence(node);
            var refusal = refused.get(node);
            if (refusal != null) {
                reasons.add(Objects.requireNonNullElse(refusal.getMessage(), ""));
            } else if (silence.isPresent()) {
                reasons.add(silence.get());
            } else if (room(pool, parameters.thick()) < size) {
                reasons.add("node %s has room for %s".formatted(node, Sizes.text(room(pool, parameters.thick()))));
            } else {
                return node;
            }
        }
        if (reasons.isEmpty()) {
            throw StowageException.exhausted(
                    "volume '%s': it is wanted in a place that no pool serves (%s); the pools are on the nodes %s",
                    wanted.name(),
                    selected.map(node -> "the node %s, by the scheduler".formatted(node))
                            .orElseGet(() -> segments(wanted.topology()).toString()),
                    cluster.pools().map(pool -> pool.getSpec().node()).sorted().toList());
        }
        throw StowageException.exhausted(
                "volume '%s' of %s fits nowhere that it may be: %s",
                wanted.name(), Sizes.text(size), String.join("; ", reasons));
    }

    private List<LocalPool> candidates(TopologyRequirement topology, boolean thick, Optional<String> selected) {
        return cluster.pools()
                .filter(pool -> selected.isEmpty()
                        || selected.get().equals(pool.getSpec().node()))
                .filter(pool -> topology.allows(place(pool)))
                .sorted(Comparator.<LocalPool>comparingInt(pool -> rank(place(pool), topology.preferred()))
                        .thenComparing(Comparator.<LocalPool>comparingLong(pool -> room(pool, thick))
                                .reversed())
                        .thenComparing(pool -> pool.getSpec().node()))
                .toList();
    }

    private static int rank(Topology place, List<Topology> preferred) {
        for (int i = 0; i < preferred.size(); i++) {
            if (place.within(preferred.get(i))) {
                return i;
            }
        }
        return preferred.size();
    }

    private Topology place(LocalPool pool) {
        return cluster.place(pool.getSpec().node());
    }

    static long room(LocalPool pool, boolean thick) {
        return thick ? pool.getStatus().availableThickBytes() : pool.getStatus().availableThinBytes();
    }

    private static List<Map<String, String>> segments(TopologyRequirement topology) {
        return (topology.requisite().isEmpty() ? topology.preferred() : topology.requisite())
                .stream().map(Topology::segments).toList();
    }
}
