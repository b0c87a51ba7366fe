package dev.stowage.core.backend;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One kind of storage.
 *
 * <p>Each ability is a facet of its own. A facet that is absent is an ability that the storage lacks, and the driver declares no
 * capability for it. Calls come with their lanes held: no two calls on one volume overlap. Any call may come again at any time, and
 * after the thing it is about is gone.
 */
public interface Backend extends AutoCloseable {

    /** The controller's side, absent in a process that only serves a node. */
    Optional<ControllerSide> controller();

    /** The node's side, absent in a process that only serves the controller. */
    Optional<NodeVolumes> node();

    /**
     * What the storage can do with all its processes together. CSI wants the same answer from each of them, whichever side it serves, so
     * a backend whose sides run apart says here what this process cannot see.
     */
    default Set<Ability> abilities() {
        return Ability.seenIn(this);
    }

    /**
     * Why this process cannot serve now, if so. It concerns only what stands before the storage, such as the machine that it is asked
     * through: a broken disk makes volumes unhealthy, not the process.
     */
    default Optional<String> notReady() {
        return Optional.empty();
    }

    /**
     * Why this process waits for its turn, if it does: it is well, but another one serves. Whoever would call it, waits, too.
     */
    default Optional<String> standingBy() {
        return Optional.empty();
    }

    /** Figures for those who watch. */
    default List<Gauge> gauges() {
        return List.of();
    }

    @Override
    void close();
}
