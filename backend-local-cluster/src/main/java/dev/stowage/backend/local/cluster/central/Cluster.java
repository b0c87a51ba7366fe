package dev.stowage.backend.local.cluster.central;

import dev.stowage.backend.local.LocalSettings;
import dev.stowage.backend.local.cluster.ClusterSettings;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.NodeId;
import dev.stowage.core.volume.Topology;
import dev.stowage.kube.Cache;
import dev.stowage.kube.local.LocalGroupSnapshot;
import dev.stowage.kube.local.LocalPool;
import dev.stowage.kube.local.LocalSnapshot;
import dev.stowage.kube.local.LocalVolume;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the controller knows of the cluster: its nodes, their pools, and everything that was ordered from them. */
final class Cluster implements AutoCloseable {

    static final String BY_MEMBER = "member";

    private final String driverName;
    private final NodeWatch nodes;
    private final Cache<LocalPool> pools;
    private final Orders<LocalVolume.Spec, LocalVolume.Status, LocalVolume> volumes;
    private final Orders<LocalSnapshot.Spec, LocalSnapshot.Status, LocalSnapshot> snapshots;
    private final Orders<LocalGroupSnapshot.Spec, LocalGroupSnapshot.Status, LocalGroupSnapshot> groups;

    Cluster(ClusterSettings settings, KubernetesClient client) {
        var notice = new Notice();
        this.driverName = settings.driverName();
        this.nodes = new NodeWatch(settings, client, notice);
        this.pools = Cache.start(
                client.resources(LocalPool.class), Map.of(), Duration.ZERO, new PoolChanges(notice), reason -> {});
        this.volumes = new Orders<>(
                client,
                LocalVolume.class,
                LocalVolume::new,
                new Orders.Kind("volume", "status.volumeId"),
                nodes,
                notice,
                Map.of());
        this.snapshots = new Orders<>(
                client,
                LocalSnapshot.class,
                LocalSnapshot::new,
                new Orders.Kind("snapshot", "status.snapshotId"),
                nodes,
                notice,
                Map.of());
        this.groups = new Orders<>(
                client,
                LocalGroupSnapshot.class,
                LocalGroupSnapshot::new,
                new Orders.Kind("group snapshot", "status.groupSnapshotId"),
                nodes,
                notice,
                Map.of(
                        BY_MEMBER,
                        group -> group.getStatus().members().stream()
                                .map(LocalGroupSnapshot.Member::snapshotId)
                                .toList()));
    }

    private record PoolChanges(Notice notice) implements Cache.Changes<LocalPool> {
        @Override
        public void seen(@Nullable LocalPool before, LocalPool now) {
            notice.give();
        }

        @Override
        public void gone(LocalPool last) {
            notice.give();
        }
    }

    NodeWatch nodes() {
        return nodes;
    }

    Orders<LocalVolume.Spec, LocalVolume.Status, LocalVolume> volumes() {
        return volumes;
    }

    Orders<LocalSnapshot.Spec, LocalSnapshot.Status, LocalSnapshot> snapshots() {
        return snapshots;
    }

    Orders<LocalGroupSnapshot.Spec, LocalGroupSnapshot.Status, LocalGroupSnapshot> groups() {
        return groups;
    }

    Stream<LocalPool> pools() {
        return pools.all().stream();
    }

    Optional<LocalPool> pool(String node) {
        return pools.find(node);
    }

    /** Where things of the node can be used. */
    Topology place(String node) {
        return LocalSettings.topology(driverName, new NodeId(node));
    }

    Optional<String> notReady() {
        return nodes.filled() && pools.filled() && volumes.filled() && snapshots.filled() && groups.filled()
                ? Optional.empty()
                : Optional.of(
                        "the resources of local.stowage.dev have not been read from the Kubernetes API server yet");
    }

    /** A controller that does not know what there is must not say that there is nothing. */
    void requireReady() {
        notReady().ifPresent(reason -> {
            throw StowageException.unavailable("%s; repeat the call, and see the log if it stays so", reason);
        });
    }

    @Override
    public void close() {
        groups.close();
        snapshots.close();
        volumes.close();
        pools.close();
        nodes.close();
    }
}
