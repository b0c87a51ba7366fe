package dev.stowage.backend.vsc.central.placement;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** How one array is chosen among those that could take a volume. */
public enum Allocator {
    /** By how full it is, how much it has promised and how many volumes it has, together. */
    weighted(Comparator.comparingDouble(Allocator::load)),
    /** Where most room is left. */
    mostAvailableCapacity(Comparator.comparingLong(Candidate::availableBytes).reversed()),
    /** Where fewest volumes are. */
    even(Comparator.comparingInt(Candidate::volumes)),
    /** One after the other, in the order in which they were added: the next when one is full. */
    linear(Comparator.comparing(Candidate::addedAt));

    private static final double MANY_VOLUMES = 1000;

    private final Comparator<Candidate> order;

    Allocator(Comparator<Candidate> order) {
        // Equals are told apart by name, so that a choice can be understood afterwards.
        this.order = order.thenComparing(Candidate::array);
    }

    /** The best of the candidates. */
    public Optional<Candidate> choose(List<Candidate> candidates) {
        return candidates.stream().min(order);
    }

    private static double load(Candidate candidate) {
        double total = Math.max(1, candidate.totalBytes());
        double allocated = total - candidate.availableBytes();
        return candidate.volumes() / MANY_VOLUMES + allocated / total + candidate.provisionedBytes() / total;
    }
}
