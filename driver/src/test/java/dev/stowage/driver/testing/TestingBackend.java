package dev.stowage.driver.testing;

import dev.stowage.core.backend.Attachments;
import dev.stowage.core.backend.Backend;
import dev.stowage.core.backend.Capacity;
import dev.stowage.core.backend.ChangedBlocks;
import dev.stowage.core.backend.ControllerSide;
import dev.stowage.core.backend.Expansion;
import dev.stowage.core.backend.GroupSnapshots;
import dev.stowage.core.backend.Health;
import dev.stowage.core.backend.Modification;
import dev.stowage.core.backend.NodeVolumes;
import dev.stowage.core.backend.Snapshots;
import dev.stowage.core.backend.Volumes;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.health.HealthIssue;
import dev.stowage.core.health.StorageIssue;
import dev.stowage.core.health.VolumeHealth;
import dev.stowage.core.id.GroupSnapshotId;
import dev.stowage.core.id.NodeId;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.core.id.TargetPath;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.page.Page;
import dev.stowage.core.page.PageRequest;
import dev.stowage.core.page.Paging;
import dev.stowage.core.volume.GroupSnapshot;
import dev.stowage.core.volume.SizeRange;
import dev.stowage.core.volume.Snapshot;
import dev.stowage.core.volume.Topology;
import dev.stowage.core.volume.Volume;
import dev.stowage.core.volume.VolumeUse;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Storage in memory. It remembers what it was asked for, and a test can make any call of it wait or fail.
 *
 * <p>The things in it are simple on purpose: a volume's id is {@code vol-} and its name, a snapshot's {@code snap-} and its name.
 */
public final class TestingBackend
        implements Backend,
                ControllerSide,
                Volumes,
                Attachments,
                Capacity,
                Expansion,
                Modification,
                GroupSnapshots,
                Health {

    public enum Facet {
        CONTROLLER,
        NODE,
        CLONES,
        ATTACHMENTS,
        CAPACITY,
        EXPANSION,
        MODIFICATION,
        SNAPSHOTS,
        GROUPS,
        BLOCKS,
        HEALTH,
        TOPOLOGY
    }

    public static final Topology PLACE = new Topology(Map.of("stowage.dev/node", "node-1"));
    public static final Instant TAKEN = Instant.parse("2026-01-02T03:04:05.000000006Z");
    public static final long SIZE = 1L << 20;

    private final Set<Facet> facets;
    public final NavigableMap<VolumeId, Volume> volumes = new ConcurrentSkipListMap<>();
    public final NavigableMap<SnapshotId, Snapshot> snapshots = new ConcurrentSkipListMap<>();
    public final NavigableMap<GroupSnapshotId, GroupSnapshot> groups = new ConcurrentSkipListMap<>();
    public final NavigableMap<VolumeId, VolumeHealth> ailing = new ConcurrentSkipListMap<>();
    public final List<Object> received = new CopyOnWriteArrayList<>();
    public final TestingNode nodeSide = new TestingNode();
    public volatile Consumer<String> onCall = name -> {};
    public volatile Optional<String> objection = Optional.empty();
    public volatile long rangesToStream = 3;
    public volatile boolean closed;

    private TestingBackend(Set<Facet> facets) {
        this.facets = facets;
    }

    public static TestingBackend complete() {
        return new TestingBackend(EnumSet.allOf(Facet.class));
    }

    public static TestingBackend with(Facet first, Facet... rest) {
        return new TestingBackend(EnumSet.of(first, rest));
    }

    public static TestingBackend without(Facet... missing) {
        var facets = EnumSet.allOf(Facet.class);
        List.of(missing).forEach(facets::remove);
        return new TestingBackend(facets);
    }

    public Object lastReceived() {
        return received.getLast();
    }

    private void called(String name, Object request) {
        received.add(request);
        onCall.accept(name);
    }

    private <T> Optional<T> facet(Facet facet, T value) {
        return facets.contains(facet) ? Optional.of(value) : Optional.empty();
    }

    @Override
    public Optional<ControllerSide> controller() {
        return facet(Facet.CONTROLLER, this);
    }

    @Override
    public Optional<NodeVolumes> node() {
        return facet(Facet.NODE, nodeSide);
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public Volumes volumes() {
        return this;
    }

    @Override
    public Optional<Attachments> attachments() {
        return facet(Facet.ATTACHMENTS, this);
    }

    @Override
    public Optional<Capacity> capacity() {
        return facet(Facet.CAPACITY, this);
    }

    @Override
    public Optional<Expansion> expansion() {
        return facet(Facet.EXPANSION, this);
    }

    @Override
    public Optional<Modification> modification() {
        return facet(Facet.MODIFICATION, this);
    }

    @Override
    public Optional<Snapshots> snapshots() {
        return facet(Facet.SNAPSHOTS, new TestingSnapshots());
    }

    @Override
    public Optional<GroupSnapshots> groupSnapshots() {
        return facet(Facet.GROUPS, this);
    }

    @Override
    public Optional<ChangedBlocks> changedBlocks() {
        return facet(Facet.BLOCKS, new TestingBlocks());
    }

    @Override
    public Optional<Health> health() {
        return facet(Facet.HEALTH, this);
    }

    @Override
    public boolean topologyConstrained() {
        return facets.contains(Facet.TOPOLOGY);
    }

    @Override
    public boolean clonable() {
        return facets.contains(Facet.CLONES);
    }

    public Volume addVolume(String name) {
        var volume = new Volume(
                new VolumeId("vol-" + name), SIZE, Map.of("pool", "p"), Optional.empty(), List.of(PLACE), Set.of());
        volumes.put(volume.id(), volume);
        return volume;
    }

    public Snapshot addSnapshot(String name, VolumeId source) {
        var snapshot = new Snapshot(
                new SnapshotId("snap-" + name), source, SIZE, TAKEN, true, Optional.empty(), List.of(PLACE));
        snapshots.put(snapshot.id(), snapshot);
        return snapshot;
    }

    @Override
    public Volume create(Volumes.Wanted wanted) {
        called("create", wanted);
        var id = new VolumeId("vol-" + wanted.name());
        var volume = new Volume(
                id,
                wanted.size().choose(SIZE, 1, Long.MAX_VALUE, 1),
                Map.of("pool", "p"),
                wanted.source(),
                List.of(PLACE),
                Set.of());
        volumes.put(id, volume);
        return volume;
    }

    @Override
    public void delete(VolumeId volume) {
        called("delete", volume);
        volumes.remove(volume);
    }

    @Override
    public Volume find(VolumeId volume) {
        return Optional.ofNullable(volumes.get(volume))
                .orElseThrow(() -> StowageException.notFound("volume %s does not exist", volume));
    }

    @Override
    public Page<Volume> list(PageRequest page) {
        return Paging.of(volumes, page, VolumeId::new, volume -> true);
    }

    @Override
    public Optional<String> objection(
            VolumeId volume,
            List<VolumeUse> uses,
            Map<String, String> context,
            Map<String, String> parameters,
            Map<String, String> mutableParameters) {
        find(volume);
        return objection;
    }

    @Override
    public Map<String, String> attach(Attachments.Wanted wanted) {
        called("attach", wanted);
        var volume = find(wanted.volume());
        var nodes = new HashSet<>(volume.publishedTo());
        nodes.add(wanted.node());
        volumes.put(
                volume.id(),
                new Volume(
                        volume.id(), volume.sizeBytes(), volume.context(), volume.source(), volume.topology(), nodes));
        return Map.of("device", "d1");
    }

    @Override
    public void detach(VolumeId volume, Optional<NodeId> node) {
        called("detach", node);
    }

    @Override
    public Answer available(List<VolumeUse> uses, Map<String, String> parameters, Optional<Topology> place) {
        called("available", List.of(uses, parameters, place));
        return new Answer(100, 1, 50);
    }

    @Override
    public Expanded expand(VolumeId volume, SizeRange size, Optional<VolumeUse> use) {
        called("expand", List.of(volume, size, use));
        find(volume);
        return new Expanded(size.required(), true);
    }

    @Override
    public void modify(VolumeId volume, Map<String, String> mutableParameters) {
        called("modify", mutableParameters);
    }

    @Override
    public GroupSnapshot create(GroupSnapshots.Wanted wanted) {
        called("create group", wanted);
        var id = new GroupSnapshotId("group-" + wanted.name());
        var members = wanted.sources().stream()
                .map(source -> new Snapshot(
                        new SnapshotId("snap-" + wanted.name() + "-" + source),
                        source,
                        SIZE,
                        TAKEN,
                        true,
                        Optional.of(id),
                        List.of()))
                .toList();
        var group = new GroupSnapshot(id, members, TAKEN);
        groups.put(id, group);
        return group;
    }

    @Override
    public void delete(GroupSnapshotId group, List<SnapshotId> members) {
        called("delete group", members);
        groups.remove(group);
    }

    @Override
    public GroupSnapshot find(GroupSnapshotId group, List<SnapshotId> members) {
        return Optional.ofNullable(groups.get(group))
                .orElseThrow(() -> StowageException.notFound("group snapshot %s does not exist", group));
    }

    @Override
    public VolumeHealth of(VolumeId volume) {
        find(volume);
        return ailing.getOrDefault(volume, new VolumeHealth(volume, List.of()));
    }

    @Override
    public Page<VolumeHealth> ailing(PageRequest page) {
        return Paging.of(ailing, page, VolumeId::new, health -> true);
    }

    public void makeAiling(VolumeId volume, HealthIssue... issues) {
        ailing.put(volume, new VolumeHealth(volume, List.of(issues)));
    }

    private final class TestingSnapshots implements Snapshots {

        @Override
        public Snapshot create(Wanted wanted) {
            called("create snapshot", wanted);
            return addSnapshot(wanted.name().value(), wanted.source());
        }

        @Override
        public void delete(SnapshotId snapshot) {
            called("delete snapshot", snapshot);
            snapshots.remove(snapshot);
        }

        @Override
        public Snapshot find(SnapshotId snapshot) {
            return Optional.ofNullable(snapshots.get(snapshot))
                    .orElseThrow(() -> StowageException.notFound("snapshot %s does not exist", snapshot));
        }

        @Override
        public Page<Snapshot> list(Optional<VolumeId> source, PageRequest page) {
            return Paging.of(
                    snapshots,
                    page,
                    SnapshotId::new,
                    snapshot -> source.isEmpty() || source.get().equals(snapshot.source()));
        }
    }

    /** Every other block of 4 KiB holds data. */
    private final class TestingBlocks implements ChangedBlocks {

        private static final int BLOCK = 4096;

        @Override
        public Listing allocated(SnapshotId snapshot, long from) {
            called("allocated", snapshot);
            return listing(from);
        }

        @Override
        public Listing changed(SnapshotId base, SnapshotId target, long from) {
            called("changed", List.of(base, target));
            return listing(from);
        }

        private Listing listing(long from) {
            long count = rangesToStream;
            return new Listing() {
                @Override
                public long volumeSizeBytes() {
                    return Math.max(SIZE, 2 * BLOCK * count);
                }

                @Override
                public void stream(Ranges ranges) {
                    for (long i = from / (2 * BLOCK); i < count; i++) {
                        onCall.accept("range");
                        ranges.range(i * 2 * BLOCK, BLOCK);
                    }
                }
            };
        }
    }

    /** The node's side. */
    public final class TestingNode implements NodeVolumes {

        public volatile List<StorageIssue> storageIssues = List.of();
        public volatile Optional<Amount> inodes = Optional.of(new Amount(10, 4, 6));

        @Override
        public NodeInfo info() {
            return new NodeInfo(
                    new NodeId("node-1"), 7, facets.contains(Facet.TOPOLOGY) ? Optional.of(PLACE) : Optional.empty());
        }

        @Override
        public void stage(Stage stage) {
            called("stage", stage);
        }

        @Override
        public void unstage(VolumeId volume, TargetPath stagingPath) {
            called("unstage", stagingPath);
        }

        @Override
        public void publish(Publish publish) {
            called("publish", publish);
        }

        @Override
        public void unpublish(VolumeId volume, TargetPath targetPath) {
            called("unpublish", targetPath);
        }

        @Override
        public Usage usage(Place place) {
            called("usage", place);
            return new Usage(new Amount(100, 40, 60), inodes);
        }

        @Override
        public long expand(Place place, SizeRange size, Optional<VolumeUse> use) {
            called("node expand", place);
            return Math.max(size.required(), SIZE);
        }

        @Override
        public VolumeHealth health(Place place) {
            called("health", place);
            return ailing.getOrDefault(place.volume(), new VolumeHealth(place.volume(), List.of()));
        }

        @Override
        public List<StorageIssue> storageHealth() {
            return storageIssues;
        }
    }
}
