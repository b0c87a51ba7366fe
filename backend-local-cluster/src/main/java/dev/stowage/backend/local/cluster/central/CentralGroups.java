package dev.stowage.backend.local.cluster.central;

import dev.stowage.backend.local.cluster.order.ResourceNames;
import dev.stowage.backend.local.cluster.order.Wishes;
import dev.stowage.backend.local.volume.VolumeParameters;
import dev.stowage.core.backend.GroupSnapshots;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.GroupSnapshotId;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.GroupSnapshot;
import dev.stowage.kube.local.LocalGroupSnapshot;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Group snapshots. All volumes of a group are on one node: there is no instant that two nodes share. */
final class CentralGroups implements GroupSnapshots {

    private final Cluster cluster;
    private final Sources sources;
    private final CentralSnapshots snapshots;
    private final Ordered ordering;

    CentralGroups(Cluster cluster, Sources sources, CentralSnapshots snapshots) {
        this.cluster = cluster;
        this.sources = sources;
        this.snapshots = snapshots;
        this.ordering = new Ordered(cluster);
    }

    /** How group snapshots are ordered. */
    private final class Ordered
            extends Ordering<
                    LocalGroupSnapshot.Spec,
                    LocalGroupSnapshot.Status,
                    LocalGroupSnapshot,
                    GroupSnapshots.Wanted,
                    GroupSnapshot> {

        Ordered(Cluster cluster) {
            super(cluster.groups(), cluster.nodes());
        }

        @Override
        ResourceNames.Candidates resourceNames(Wanted wanted) {
            return cluster.names().group(wanted.name());
        }

        @Override
        LocalGroupSnapshot.Spec order(Wanted wanted, Map<String, StowageException> refused) {
            return Wishes.order(wanted, oneNode(wanted));
        }

        @Override
        void requireSame(LocalGroupSnapshot existing, Wanted wanted) {
            var spec = existing.getSpec();
            var asked = wanted.sources().stream().map(VolumeId::value).collect(Collectors.toSet());
            if (!new HashSet<>(spec.sourceVolumeIds()).equals(asked)) {
                throw StowageException.alreadyExists(
                        "group snapshot '%s' exists as %s of other volumes, %s; use another name, or delete it first",
                        spec.name(),
                        existing.getStatus().made().orElse("an order to node " + spec.node()),
                        spec.sourceVolumeIds());
            }
        }

        @Override
        LocalGroupSnapshot.Spec again(LocalGroupSnapshot.Spec spec) {
            return spec.next(false);
        }

        @Override
        LocalGroupSnapshot.Spec deletion(LocalGroupSnapshot.Spec spec) {
            return spec.next(true);
        }

        @Override
        GroupSnapshot view(LocalGroupSnapshot made) {
            return CentralGroups.this.view(made);
        }

        @Override
        boolean movable(Wanted wanted) {
            return false;
        }
    }

    private String oneNode(Wanted wanted) {
        var nodes = new TreeMap<String, VolumeId>();
        wanted.sources()
                .forEach(volume ->
                        nodes.putIfAbsent(sources.volume(volume).getSpec().node(), volume));
        if (nodes.size() > 1) {
            throw StowageException.notPossible(
                    "group snapshot '%s': its volumes are on several nodes (%s), which share no instant; group volumes of one node",
                    wanted.name(),
                    nodes.entrySet().stream()
                            .map(entry -> entry.getValue() + " on " + entry.getKey())
                            .collect(Collectors.joining(", ")));
        }
        return nodes.firstKey();
    }

    @Override
    public GroupSnapshot create(Wanted wanted) {
        VolumeParameters.requireNone("a group snapshot", wanted.parameters());
        cluster.requireReady();
        return ordering.create(wanted);
    }

    @Override
    public void delete(GroupSnapshotId group, List<SnapshotId> members) {
        cluster.requireReady();
        cluster.groups().liveWithId(group.value()).ifPresent(order -> {
            requireMembers(order, members);
            ordering.delete(order);
        });
    }

    @Override
    public GroupSnapshot find(GroupSnapshotId group, List<SnapshotId> members) {
        cluster.requireReady();
        var order = cluster.groups()
                .withId(group.value())
                .filter(Orders::exists)
                .orElseThrow(() -> StowageException.notFound("group snapshot %s does not exist", group));
        requireMembers(order, members);
        return view(order);
    }

    private static void requireMembers(LocalGroupSnapshot order, List<SnapshotId> members) {
        var own = order.getStatus().members().stream()
                .map(LocalGroupSnapshot.Member::snapshotId)
                .toList();
        var named = members.stream().map(SnapshotId::value).collect(Collectors.toSet());
        if (!named.equals(new HashSet<>(own))) {
            throw StowageException.invalid(
                    "group snapshot %s: the named snapshots are not its members; its members are %s",
                    order.getStatus().made().orElse(""), own);
        }
    }

    private GroupSnapshot view(LocalGroupSnapshot order) {
        return new GroupSnapshot(
                new GroupSnapshotId(order.getStatus().made().orElse("")),
                snapshots.members(order).toList(),
                CentralSnapshots.instant(order.getStatus().takenAt()));
    }
}
