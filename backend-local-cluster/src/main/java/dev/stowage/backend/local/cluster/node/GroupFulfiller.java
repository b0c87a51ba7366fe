package dev.stowage.backend.local.cluster.node;

import dev.stowage.backend.local.cluster.order.Wishes;
import dev.stowage.core.id.GroupSnapshotId;
import dev.stowage.core.id.RequestName;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.core.lane.LaneNames;
import dev.stowage.core.lane.Lanes.Wish;
import dev.stowage.core.volume.GroupSnapshot;
import dev.stowage.core.volume.Snapshot;
import dev.stowage.kube.local.LocalGroupSnapshot;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Takes and removes the group snapshots that are ordered from this node. */
final class GroupFulfiller extends Fulfiller<LocalGroupSnapshot.Spec, LocalGroupSnapshot.Status, LocalGroupSnapshot> {

    private final NodePool pool;

    GroupFulfiller(KubernetesClient client, Recipient recipient, NodePool pool, Runnable afterwards) {
        super(client, LocalGroupSnapshot.class, "group", recipient, afterwards);
        this.pool = pool;
    }

    @Override
    Map<String, @Nullable Object> make(LocalGroupSnapshot order) {
        var group = made(order);
        var status = new HashMap<String, @Nullable Object>();
        status.put("groupSnapshotId", group.id().value());
        status.put("takenAt", group.takenAt().toString());
        status.put(
                "members",
                group.members().stream()
                        .map(member -> new LocalGroupSnapshot.Member(
                                member.id().value(), member.source().value(), member.sizeBytes()))
                        .toList());
        return status;
    }

    private GroupSnapshot made(LocalGroupSnapshot order) {
        var wish = Wishes.wish(order.getSpec());
        var lanes = new ArrayList<Wish>(List.of(LaneNames.groupName(wish.name())));
        wish.sources().forEach(volume -> lanes.add(LaneNames.volume(volume)));
        return pool.in(lanes, "CreateVolumeGroupSnapshot", () -> pool.groups().create(wish));
    }

    /** A group snapshot never changes. */
    @Override
    Map<String, @Nullable Object> work(LocalGroupSnapshot order, String id) {
        return Map.of();
    }

    @Override
    void remove(LocalGroupSnapshot order) {
        var told = order.getStatus().made().map(GroupSnapshotId::new);
        if (told.isPresent()) {
            delete(
                    told.get(),
                    order.getStatus().members().stream()
                            .map(member -> new SnapshotId(member.snapshotId()))
                            .toList());
        } else if (pool.view()
                .groupNamed(new RequestName(order.getSpec().name()))
                .isPresent()) {
            // Making what there is only finds it.
            ours(() -> made(order))
                    .ifPresent(group -> delete(
                            group.id(),
                            group.members().stream().map(Snapshot::id).toList()));
        }
    }

    private void delete(GroupSnapshotId group, List<SnapshotId> members) {
        var lanes = new ArrayList<Wish>(List.of(LaneNames.group(group)));
        members.forEach(member -> lanes.add(LaneNames.snapshot(member)));
        pool.run(lanes, "DeleteVolumeGroupSnapshot", () -> pool.groups().delete(group, members));
    }
}
