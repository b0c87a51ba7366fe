package dev.stowage.backend.local.cluster.node;

import dev.stowage.core.id.RequestName;
import dev.stowage.core.page.PageRequest;
import dev.stowage.core.volume.Snapshot;
import dev.stowage.kube.local.LocalPool;
import dev.stowage.kube.local.Order;
import dev.stowage.kube.local.Outcome;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** What of the pool's content is ordered by somebody. The rest is told and otherwise left alone: a person decides about it. */
final class Claims {

    private static final int MOST_TOLD = 100;

    private final NodePool pool;
    private final VolumeFulfiller volumes;
    private final SnapshotFulfiller snapshots;
    private final GroupFulfiller groups;

    Claims(NodePool pool, VolumeFulfiller volumes, SnapshotFulfiller snapshots, GroupFulfiller groups) {
        this.pool = pool;
        this.volumes = volumes;
        this.snapshots = snapshots;
        this.groups = groups;
    }

    Optional<LocalPool.Unclaimed> unclaimed() {
        // Looked at before the orders: what is made meanwhile has an order already.
        var heldVolumes = pool.volumes().list(PageRequest.ALL).entries().stream()
                .map(volume -> volume.id().value())
                .toList();
        var heldSnapshots = pool.snapshots().list(Optional.empty(), PageRequest.ALL).entries().stream()
                .filter(snapshot -> snapshot.group().isEmpty())
                .map(Snapshot::id)
                .map(Object::toString)
                .toList();
        var heldGroups = pool.view().groups().stream().map(Object::toString).toList();
        var unclaimed = new LocalPool.Unclaimed(
                rest(heldVolumes, claimed(volumes.orders(), name -> pool.view().volumeNamed(name))),
                rest(
                        heldSnapshots,
                        claimed(snapshots.orders(), name -> pool.view().snapshotNamed(name))),
                rest(heldGroups, claimed(groups.orders(), name -> pool.view().groupNamed(name))));
        boolean any = Stream.of(unclaimed.volumes(), unclaimed.snapshots(), unclaimed.groupSnapshots())
                .anyMatch(ids -> !ids.isEmpty());
        return any ? Optional.of(unclaimed) : Optional.empty();
    }

    private static List<String> rest(List<String> held, Set<String> claimed) {
        return held.stream()
                .filter(id -> !claimed.contains(id))
                .sorted()
                .limit(MOST_TOLD)
                .toList();
    }

    private static Set<String> claimed(
            List<? extends CustomResource<? extends Order, ? extends Outcome>> orders,
            Function<RequestName, Optional<?>> named) {
        var claimed = new HashSet<String>();
        for (var order : orders) {
            order.getStatus()
                    .made()
                    .or(() ->
                            named.apply(new RequestName(order.getSpec().name())).map(Object::toString))
                    .ifPresent(claimed::add);
        }
        return claimed;
    }
}
