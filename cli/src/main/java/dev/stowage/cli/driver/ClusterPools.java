package dev.stowage.cli.driver;

import dev.stowage.backend.local.LocalSettings;
import dev.stowage.backend.local.cluster.ClusterSettings;
import dev.stowage.backend.local.cluster.central.CentralBackend;
import dev.stowage.backend.local.cluster.node.NodeBackend;
import dev.stowage.cli.Version;
import dev.stowage.core.backend.Backend;
import dev.stowage.core.lane.Lanes;
import dev.stowage.kube.KubernetesClients;

/** The local backend of a cluster. Nothing else here names its classes, so that a process without a cluster never loads them. */
final class ClusterPools {

    private ClusterPools() {}

    static Backend controller(ClusterOptions.Settings options) {
        return CentralBackend.open(settings(options));
    }

    static Backend node(ClusterOptions.Settings options, LocalSettings pool, Lanes lanes) {
        return NodeBackend.open(settings(options), pool, lanes);
    }

    private static ClusterSettings settings(ClusterOptions.Settings options) {
        return new ClusterSettings(
                options.driverName(),
                Version.number(),
                options.kubeconfig(),
                options.namespace().orElseGet(KubernetesClients::namespace),
                options.silenceLimit());
    }
}
