package dev.stowage.backend.local.cluster;

import dev.stowage.core.error.StowageException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How a process finds the others of the cluster.
 *
 * @param kubeconfig a file, or nothing for a pod
 * @param namespace where nodes give their signs of life
 * @param silenceLimit how long a node may give no sign of life before it counts as down
 */
public record ClusterSettings(
        String driverName, String version, Optional<Path> kubeconfig, String namespace, Duration silenceLimit) {

    public static final Duration DEFAULT_SILENCE_LIMIT = Duration.ofSeconds(40);
    private static final int BEATS_WITHIN_THE_LIMIT = 4;

    public ClusterSettings {
        if (silenceLimit.compareTo(Duration.ofSeconds(1)) < 0) {
            throw StowageException.invalid(
                    "--node-silence-limit %d: it must be at least a second", silenceLimit.toSeconds());
        }
    }

    /** How often a node gives a sign of life. */
    public Duration beat() {
        return silenceLimit.dividedBy(BEATS_WITHIN_THE_LIMIT);
    }
}
