package dev.stowage.cli.driver;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for a driver whose pools are on many nodes. */
final class ClusterOptions {

    /** Whose pools there are. */
    enum Pools {
        own,
        cluster
    }

    /** What a process that shares the work with others is told. */
    record Settings(String driverName, Optional<Path> kubeconfig, Optional<String> namespace, Duration silenceLimit) {}

    @Option(
            names = "--pools",
            paramLabel = "WHOSE",
            defaultValue = "${env:STOWAGE_POOLS:-own}",
            description = {
                "local: ${COMPLETION-CANDIDATES} [STOWAGE_POOLS, default own].",
                "own: the pool of this process is all there is.",
                "cluster: every node has a pool; one controller orders from them through the Kubernetes API."
            })
    private Pools pools = Pools.own;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            defaultValue = "${env:STOWAGE_KUBECONFIG}",
            description = "cluster: how to reach the Kubernetes API [STOWAGE_KUBECONFIG, default this pod's account].")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            defaultValue = "${env:STOWAGE_NAMESPACE}",
            description =
                    "cluster: where nodes give their signs of life [STOWAGE_NAMESPACE, default this pod's namespace].")
    private @Nullable String namespace;

    @Option(
            names = "--node-silence-limit",
            paramLabel = "SECONDS",
            defaultValue = "${env:STOWAGE_NODE_SILENCE_LIMIT:-40}",
            description = {
                "cluster: how long a node may give no sign of life before it counts as down",
                "[STOWAGE_NODE_SILENCE_LIMIT, default 40]. It gives four in that time."
            })
    private int silenceLimit = 40;

    Pools pools() {
        return pools;
    }

    Settings settings(String driverName) {
        return new Settings(
                driverName,
                Optional.ofNullable(kubeconfig),
                Optional.ofNullable(namespace),
                Duration.ofSeconds(silenceLimit));
    }
}
