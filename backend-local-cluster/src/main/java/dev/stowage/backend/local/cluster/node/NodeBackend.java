package dev.stowage.backend.local.cluster.node;

import dev.stowage.backend.local.LocalBackend;
import dev.stowage.backend.local.LocalSettings;
import dev.stowage.backend.local.cluster.ClusterAbilities;
import dev.stowage.backend.local.cluster.ClusterSettings;
import dev.stowage.core.backend.Ability;
import dev.stowage.core.backend.Backend;
import dev.stowage.core.backend.ControllerSide;
import dev.stowage.core.backend.NodeVolumes;
import dev.stowage.core.lane.Lanes;
import dev.stowage.kube.KubernetesClients;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * A node's pool that others order from. To the kubelet it is a node's driver like any other, and needs no API server for that; the
 * controller's side of the pool is in this process too, but only orders reach it.
 */
public final class NodeBackend implements Backend {

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
    private static final int RETRIES = 3;

    private final LocalBackend local;
    private final Reporting reporting;

    private NodeBackend(LocalBackend local, Reporting reporting) {
        this.local = local;
        this.reporting = reporting;
    }

    /** @param lanes those in which the driver serves the kubelet's calls */
    public static NodeBackend open(ClusterSettings cluster, LocalSettings settings, Lanes lanes) {
        var local = LocalBackend.open(settings, true, true);
        try {
            var client = KubernetesClients.connect(
                    cluster.kubeconfig(), "stowage-node/" + cluster.version(), REQUEST_TIMEOUT, RETRIES);
            var pool = new NodePool(
                    local.controller().orElseThrow(),
                    local.node().orElseThrow(),
                    local.view().orElseThrow(),
                    lanes);
            return new NodeBackend(local, new Reporting(cluster, settings, client, pool));
        } catch (RuntimeException failure) {
            local.close();
            throw failure;
        }
    }

    @Override
    public Optional<ControllerSide> controller() {
        return Optional.empty();
    }

    @Override
    public Optional<NodeVolumes> node() {
        return local.node();
    }

    @Override
    public Set<Ability> abilities() {
        return ClusterAbilities.ALL;
    }

    @Override
    public void close() {
        reporting.close();
        local.close();
    }
}
