package dev.stowage.backend.local.cluster.node;

import dev.stowage.backend.local.PoolView;
import dev.stowage.core.backend.ControllerSide;
import dev.stowage.core.backend.GroupSnapshots;
import dev.stowage.core.backend.NodeVolumes;
import dev.stowage.core.backend.Snapshots;
import dev.stowage.core.backend.Volumes;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.lane.Lanes;
import dev.stowage.core.lane.Lanes.Wish;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The pool of this node, with the lanes in which things are done to what is in it. */
record NodePool(ControllerSide controller, NodeVolumes node, PoolView view, Lanes lanes) {

    private static final Logger log = LoggerFactory.getLogger(NodePool.class);

    Volumes volumes() {
        return controller.volumes();
    }

    Snapshots snapshots() {
        return controller.snapshots().orElseThrow();
    }

    GroupSnapshots groups() {
        return controller.groupSnapshots().orElseThrow();
    }

    /** Does something while nothing else is done to the same things; fails as a call of CSI would. */
    <X> X in(List<Wish> wishes, String operation, Supplier<X> work) {
        try (var _ = lanes.enter(operation, wishes)) {
            return work.get();
        } catch (StowageException known) {
            throw known;
        } catch (RuntimeException unexpected) {
            log.error("{} failed unexpectedly", operation, unexpected);
            throw StowageException.internal(
                    unexpected, "the driver failed unexpectedly in %s; its log on the node has the reason", operation);
        }
    }

    void run(List<Wish> wishes, String operation, Runnable work) {
        in(wishes, operation, () -> {
            work.run();
            return true;
        });
    }
}
