package dev.stowage.driver.message;

import dev.stowage.core.volume.Topology;
import dev.stowage.core.volume.TopologyRequirement;
import java.util.List;
import java.util.Optional;

/** Places, read and written. */
public final class Topologies {

    private Topologies() {}

    public static TopologyRequirement requirement(boolean present, csi.v1.TopologyRequirement requirement) {
        return present
                ? new TopologyRequirement(
                        places(requirement.getRequisiteList()), places(requirement.getPreferredList()))
                : TopologyRequirement.ANYWHERE;
    }

    public static Optional<Topology> place(boolean present, csi.v1.Topology place) {
        return present ? Optional.of(place(place)) : Optional.empty();
    }

    private static List<Topology> places(List<csi.v1.Topology> places) {
        return places.stream().map(Topologies::place).toList();
    }

    private static Topology place(csi.v1.Topology place) {
        return new Topology(TextMaps.parameters("topology segments", place.getSegmentsMap()));
    }

    public static csi.v1.Topology message(Topology place) {
        return csi.v1.Topology.newBuilder().putAllSegments(place.segments()).build();
    }

    static List<csi.v1.Topology> messages(List<Topology> places) {
        return places.stream().map(Topologies::message).toList();
    }
}
