package dev.stowage.backend.local.cluster.node;

import dev.stowage.backend.local.cluster.order.Wishes;
import dev.stowage.core.id.RequestName;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.core.lane.LaneNames;
import dev.stowage.kube.local.LocalSnapshot;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Takes and removes the snapshots that are ordered from this node. */
final class SnapshotFulfiller extends Fulfiller<LocalSnapshot.Spec, LocalSnapshot.Status, LocalSnapshot> {

    private final NodePool pool;

    SnapshotFulfiller(KubernetesClient client, Recipient recipient, NodePool pool, Runnable afterwards) {
        super(client, LocalSnapshot.class, "snapshot", recipient, afterwards);
        this.pool = pool;
    }

    @Override
    Map<String, @Nullable Object> make(LocalSnapshot order) {
        var wish = Wishes.wish(order.getSpec());
        var snapshot = pool.in(
                List.of(LaneNames.snapshotName(wish.name()), LaneNames.volume(wish.source())),
                "CreateSnapshot",
                () -> pool.snapshots().create(wish));
        var status = new HashMap<String, @Nullable Object>();
        status.put("snapshotId", snapshot.id().value());
        status.put("sizeBytes", snapshot.sizeBytes());
        status.put("takenAt", snapshot.takenAt().toString());
        return status;
    }

    /** A snapshot never changes. */
    @Override
    Map<String, @Nullable Object> work(LocalSnapshot order, String id) {
        return Map.of();
    }

    @Override
    void remove(LocalSnapshot order) {
        made(order)
                .ifPresent(snapshot -> pool.run(
                        List.of(LaneNames.snapshot(snapshot)),
                        "DeleteSnapshot",
                        () -> pool.snapshots().delete(snapshot)));
    }

    /** What the pool holds for the order. If it was not told yet, taking what there is only finds it. */
    private Optional<SnapshotId> made(LocalSnapshot order) {
        var told = order.getStatus().made().map(SnapshotId::new);
        if (told.isPresent()
                || pool.view()
                        .snapshotNamed(new RequestName(order.getSpec().name()))
                        .isEmpty()) {
            return told;
        }
        var wish = Wishes.wish(order.getSpec());
        return ours(() -> pool.in(
                List.of(LaneNames.snapshotName(wish.name())),
                "FindSnapshot",
                () -> pool.snapshots().create(wish).id()));
    }
}
