package dev.stowage.backend.local;

import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.NodeId;
import dev.stowage.core.volume.Topology;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;

/**
 * How a pool is run.
 *
 * @param driverName the CSI driver's name; volumes carry it in their topology
 * @param pool a directory, or a block device that becomes the pool
 * @param poolImage the size of a pool image to keep inside the directory, for a directory that cannot share blocks
 * @param mountDirectory where a block device is mounted
 * @param overcommit how many times its size the pool may promise
 * @param reserve free bytes that new volumes leave alone
 * @param mostVolumes how many volumes may be attached to the node
 * @param longestFreeze how long writers may be held up for a snapshot
 */
public record LocalSettings(
        String driverName,
        NodeId node,
        Path pool,
        OptionalLong poolImage,
        Path mountDirectory,
        double overcommit,
        OptionalLong reserve,
        int mostVolumes,
        Duration longestFreeze) {

    public static final String DEFAULT_DRIVER_NAME = "local.stowage.dev";
    public static final double DEFAULT_OVERCOMMIT = 2.0;
    public static final int DEFAULT_MOST_VOLUMES = 1000;
    public static final Duration DEFAULT_LONGEST_FREEZE = Duration.ofSeconds(10);
    public static final Path DEFAULT_MOUNT_DIRECTORY = Path.of("/var/lib/stowage/pools");

    public LocalSettings {
        if (!(overcommit >= 1.0 && overcommit <= 1000.0)) {
            throw StowageException.invalid("--overcommit %s: expected a number from 1.0 to 1000.0", overcommit);
        }
        if (mostVolumes < 0) {
            throw StowageException.invalid("--attach-limit %d: it must not be negative", mostVolumes);
        }
        if (!longestFreeze.isPositive()) {
            throw StowageException.invalid(
                    "--freeze-limit %d: it must be at least a second", longestFreeze.toSeconds());
        }
    }

    public static LocalSettings of(String driverName, NodeId node, Path pool) {
        return new LocalSettings(
                driverName,
                node,
                pool,
                OptionalLong.empty(),
                DEFAULT_MOUNT_DIRECTORY,
                DEFAULT_OVERCOMMIT,
                OptionalLong.empty(),
                DEFAULT_MOST_VOLUMES,
                DEFAULT_LONGEST_FREEZE);
    }

    /** A volume is usable on the node whose disk it is on, and nowhere else. */
    public Topology topology() {
        return topology(driverName, node);
    }

    public static Topology topology(String driverName, NodeId node) {
        return new Topology(Map.of(driverName + "/node", node.value()));
    }
}
