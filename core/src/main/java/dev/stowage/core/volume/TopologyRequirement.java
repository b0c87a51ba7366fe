package dev.stowage.core.volume;

import java.util.List;

/** Where something must be usable, and in which order places are preferred. Both empty: anywhere. */
public record TopologyRequirement(List<Topology> requisite, List<Topology> preferred) {

    public static final TopologyRequirement ANYWHERE = new TopologyRequirement(List.of(), List.of());

    public TopologyRequirement {
        requisite = List.copyOf(requisite);
        preferred = List.copyOf(preferred);
    }

    /** Whether a thing that is only usable in {@code place} meets this. */
    public boolean allows(Topology place) {
        var acceptable = requisite.isEmpty() ? preferred : requisite;
        return acceptable.isEmpty() || acceptable.stream().anyMatch(wanted -> place.within(wanted));
    }
}
