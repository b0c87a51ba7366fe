package dev.stowage.backend.local.cluster.central;

import dev.stowage.backend.local.cluster.order.ResourceNames;
import dev.stowage.backend.local.cluster.order.Wishes;
import dev.stowage.backend.local.volume.VolumeParameters;
import dev.stowage.core.backend.Snapshots;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.GroupSnapshotId;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.page.Page;
import dev.stowage.core.page.PageRequest;
import dev.stowage.core.page.Paging;
import dev.stowage.core.volume.Snapshot;
import dev.stowage.kube.local.LocalGroupSnapshot;
import dev.stowage.kube.local.LocalSnapshot;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Snapshots of all nodes, single ones and those that came with a group. */
final class CentralSnapshots implements Snapshots {

    private final Cluster cluster;
    private final Sources sources;
    private final Ordered ordering;

    CentralSnapshots(Cluster cluster, Sources sources) {
        this.cluster = cluster;
        this.sources = sources;
        this.ordering = new Ordered(cluster);
    }

    /** How snapshots are ordered. */
    private final class Ordered
            extends Ordering<LocalSnapshot.Spec, LocalSnapshot.Status, LocalSnapshot, Snapshots.Wanted, Snapshot> {

        Ordered(Cluster cluster) {
            super(cluster.snapshots(), cluster.nodes());
        }

        @Override
        ResourceNames.Candidates resourceNames(Wanted wanted) {
            return cluster.names().snapshot(wanted.name());
        }

        @Override
        LocalSnapshot.Spec order(Wanted wanted, Map<String, StowageException> refused) {
            String node = sources.volume(wanted.source()).getSpec().node();
            var place = cluster.place(node);
            if (!wanted.topology().allows(place)) {
                throw StowageException.exhausted(
                        "snapshot '%s': it can only be where its volume is, in %s, and is wanted elsewhere",
                        wanted.name(), place.segments());
            }
            return Wishes.order(wanted, node);
        }

        @Override
        void requireSame(LocalSnapshot existing, Wanted wanted) {
            var spec = existing.getSpec();
            if (!spec.sourceVolumeId().equals(wanted.source().value())) {
                throw StowageException.alreadyExists(
                        "snapshot '%s' exists as %s of another volume, %s; use another name, or delete it first",
                        spec.name(),
                        existing.getStatus().made().orElse("an order to node " + spec.node()),
                        spec.sourceVolumeId());
            }
        }

        @Override
        LocalSnapshot.Spec again(LocalSnapshot.Spec spec) {
            return spec.next(false);
        }

        @Override
        LocalSnapshot.Spec deletion(LocalSnapshot.Spec spec) {
            return spec.next(true);
        }

        @Override
        Snapshot view(LocalSnapshot made) {
            return CentralSnapshots.this.view(made);
        }

        @Override
        boolean movable(Wanted wanted) {
            return false;
        }
    }

    @Override
    public Snapshot create(Wanted wanted) {
        VolumeParameters.requireNone("a snapshot", wanted.parameters());
        cluster.requireReady();
        return ordering.create(wanted);
    }

    @Override
    public void delete(SnapshotId snapshot) {
        cluster.requireReady();
        groupOf(snapshot).ifPresent(group -> {
            throw StowageException.invalid(
                    "snapshot %s belongs to group snapshot %s and goes with it; delete the group",
                    snapshot, group.getStatus().made().orElse(""));
        });
        cluster.snapshots().liveWithId(snapshot.value()).ifPresent(ordering::delete);
    }

    private Optional<LocalGroupSnapshot> groupOf(SnapshotId snapshot) {
        return cluster.groups().by(Cluster.BY_MEMBER, snapshot.value()).stream()
                .filter(Orders::exists)
                .findFirst();
    }

    @Override
    public Snapshot find(SnapshotId snapshot) {
        cluster.requireReady();
        return groupOf(snapshot)
                .flatMap(group -> members(group)
                        .filter(member -> member.id().equals(snapshot))
                        .findFirst())
                .or(() -> cluster.snapshots()
                        .withId(snapshot.value())
                        .filter(Orders::exists)
                        .map(this::view))
                .orElseThrow(() -> StowageException.notFound("snapshot %s does not exist", snapshot));
    }

    @Override
    public Page<Snapshot> list(Optional<VolumeId> source, PageRequest page) {
        cluster.requireReady();
        var all = new TreeMap<SnapshotId, Snapshot>();
        Stream.concat(
                        cluster.snapshots().made().map(this::view),
                        cluster.groups().made().flatMap(this::members))
                .forEach(snapshot -> all.put(snapshot.id(), snapshot));
        return Paging.of(
                all,
                page,
                SnapshotId::new,
                snapshot ->
                        source.map(volume -> volume.equals(snapshot.source())).orElse(true));
    }

    private Snapshot view(LocalSnapshot order) {
        var status = order.getStatus();
        return new Snapshot(
                new SnapshotId(status.made().orElse("")),
                new VolumeId(order.getSpec().sourceVolumeId()),
                status.sizeBytes(),
                instant(status.takenAt()),
                true,
                Optional.empty(),
                List.of(cluster.place(order.getSpec().node())));
    }

    /** The snapshots of a group. */
    Stream<Snapshot> members(LocalGroupSnapshot group) {
        var status = group.getStatus();
        return status.members().stream()
                .map(member -> new Snapshot(
                        new SnapshotId(member.snapshotId()),
                        new VolumeId(member.sourceVolumeId()),
                        member.sizeBytes(),
                        instant(status.takenAt()),
                        true,
                        status.made().map(GroupSnapshotId::new),
                        List.of(cluster.place(group.getSpec().node()))));
    }

    static Instant instant(@Nullable String text) {
        return Instant.parse(Objects.requireNonNullElse(text, "1970-01-01T00:00:00Z"));
    }
}
