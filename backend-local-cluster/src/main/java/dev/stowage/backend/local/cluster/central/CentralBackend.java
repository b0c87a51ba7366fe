package dev.stowage.backend.local.cluster.central;

import dev.stowage.backend.local.cluster.ClusterAbilities;
import dev.stowage.backend.local.cluster.ClusterSettings;
import dev.stowage.core.backend.Ability;
import dev.stowage.core.backend.Attachments;
import dev.stowage.core.backend.Backend;
import dev.stowage.core.backend.Capacity;
import dev.stowage.core.backend.ControllerSide;
import dev.stowage.core.backend.Expansion;
import dev.stowage.core.backend.Gauge;
import dev.stowage.core.backend.GroupSnapshots;
import dev.stowage.core.backend.Health;
import dev.stowage.core.backend.Modification;
import dev.stowage.core.backend.NodeVolumes;
import dev.stowage.core.backend.Snapshots;
import dev.stowage.core.backend.Volumes;
import dev.stowage.kube.KubernetesClients;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The controller of a cluster of pools. */
public final class CentralBackend implements Backend {

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
    private static final int RETRIES = 3;

    private final KubernetesClient client;
    private final Cluster cluster;
    private final ControllerSide controller;
    private final CentralHealth health;
    private final HealthPublisher publisher;

    private CentralBackend(ClusterSettings settings, KubernetesClient client, Cluster cluster) {
        this.client = client;
        this.cluster = cluster;
        var sources = new Sources(cluster);
        var volumes = new CentralVolumes(cluster, sources, new Claims(client));
        this.health = new CentralHealth(cluster, volumes);
        this.controller = Side.of(cluster, sources, volumes, health);
        this.publisher = new HealthPublisher(settings, client, cluster, health);
    }

    /** Starts to follow the cluster; until it is known, calls are told to come back. */
    public static CentralBackend open(ClusterSettings settings) {
        var client = KubernetesClients.connect(
                settings.kubeconfig(), "stowage-controller/" + settings.version(), REQUEST_TIMEOUT, RETRIES);
        return new CentralBackend(settings, client, new Cluster(settings, client));
    }

    /** Everything but changed blocks: those are read where the data is, and there is no stock sidecar that asks for them. */
    private record Side(
            Volumes volumes,
            Optional<Attachments> attachments,
            Optional<Capacity> capacity,
            Optional<Expansion> expansion,
            Optional<Modification> modification,
            Optional<Snapshots> snapshots,
            Optional<GroupSnapshots> groupSnapshots,
            Optional<Health> health)
            implements ControllerSide {

        static Side of(Cluster cluster, Sources sources, CentralVolumes volumes, CentralHealth health) {
            var snapshots = new CentralSnapshots(cluster, sources);
            return new Side(
                    volumes,
                    Optional.of(new CentralAttachments(cluster, volumes)),
                    Optional.of(new CentralCapacity(cluster)),
                    Optional.of(new CentralExpansion(volumes)),
                    Optional.of(new CentralModification(volumes)),
                    Optional.of(snapshots),
                    Optional.of(new CentralGroups(cluster, sources, snapshots)),
                    Optional.of(health));
        }

        @Override
        public boolean topologyConstrained() {
            return true;
        }
    }

    @Override
    public Optional<ControllerSide> controller() {
        return Optional.of(controller);
    }

    @Override
    public Optional<NodeVolumes> node() {
        return Optional.empty();
    }

    @Override
    public Set<Ability> abilities() {
        return ClusterAbilities.ALL;
    }

    @Override
    public Optional<String> notReady() {
        return cluster.notReady();
    }

    @Override
    public List<Gauge> gauges() {
        return health.gauges();
    }

    @Override
    public void close() {
        publisher.close();
        cluster.close();
        client.close();
    }
}
