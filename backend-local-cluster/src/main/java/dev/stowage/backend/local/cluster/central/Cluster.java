package dev.stowage.backend.local.cluster.central;

import dev.stowage.backend.local.LocalSettings;
import dev.stowage.backend.local.cluster.ClusterSettings;
import dev.stowage.backend.local.cluster.order.Ownership;
import dev.stowage.backend.local.cluster.order.ResourceNames;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.NodeId;
import dev.stowage.core.volume.Topology;
import dev.stowage.kube.Cache;
import dev.stowage.kube.local.LocalGroupSnapshot;
import dev.stowage.kube.local.LocalPool;
import dev.stowage.kube.local.LocalSnapshot;
import dev.stowage.kube.local.LocalVolume;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What the controller knows of the cluster: its nodes, their pools, and everything that was ordered from them. */
final class Cluster implements AutoCloseable {

    static final String BY_MEMBER = "member";

    private static final String BY_NODE = "node";

    private final String driverName;
    private final ResourceNames names;
    private final Adoption adoption;
    private final NodeWatch nodes;
    private final Cache<LocalPool> pools;
    private final Orders<LocalVolume.Spec, LocalVolume.Status, LocalVolume> volumes;
    private final Orders<LocalSnapshot.Spec, LocalSnapshot.Status, LocalSnapshot> snapshots;
    private final Orders<LocalGroupSnapshot.Spec, LocalGroupSnapshot.Status, LocalGroupSnapshot> groups;

    Cluster(ClusterSettings settings, KubernetesClient client) {
        var notice = new Notice();
        var ownership = new Ownership(settings.driverName());
        this.driverName = settings.driverName();
        this.names = new ResourceNames(ownership);
        this.adoption = new Adoption(client, ownership);
        this.nodes = new NodeWatch(settings, client, notice);
        var estate = new Estate(client, ownership, adoption.settled());
        this.pools = estate.cache(
                LocalPool.class, Map.of(BY_NODE, pool -> List.of(pool.getSpec().node())), new Noticed<>(notice));
        this.volumes = new Orders<>(
                estate,
                LocalVolume.class,
                LocalVolume::new,
                new Orders.Kind("volume", "status.volumeId"),
                nodes,
                notice,
                Map.of());
        this.snapshots = new Orders<>(
                estate,
                LocalSnapshot.class,
                LocalSnapshot::new,
                new Orders.Kind("snapshot", "status.snapshotId"),
                nodes,
                notice,
                Map.of());
        this.groups = new Orders<>(
                estate,
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

    ResourceNames names() {
        return names;
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
        return pools.by(BY_NODE, node).stream().findFirst();
    }

    /** Where things of the node can be used. */
    Topology place(String node) {
        return LocalSettings.topology(driverName, new NodeId(node));
    }

    Optional<String> notReady() {
        return nodes.filled() && pools.filled() && volumes.filled() && snapshots.filled() && groups.filled()
                ? Optional.empty()
                : adoption.trouble()
                        .or(
                                () -> Optional.of(
                                        "the resources of local.stowage.dev have not been read from the Kubernetes API server yet"));
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
        adoption.close();
    }
}
