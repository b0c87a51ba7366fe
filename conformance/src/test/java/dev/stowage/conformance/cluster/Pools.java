package dev.stowage.conformance.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What is really in a node's pool. */
final class Pools {

    private Pools() {}

    /** The files of volumes and snapshots, such as {@code volumes/ID}. */
    static List<String> files(LocalCluster cluster, String node) {
        Path content = cluster.workspace().mounts().stream()
                .filter(mount -> mount.startsWith(cluster.pool(node)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("the pool of " + node + " is not mounted"));
        var files = new ArrayList<String>();
        for (String kind : List.of("volumes", "snapshots")) {
            try (var entries = Files.list(content.resolve(kind))) {
                entries.forEach(file -> files.add(kind + "/" + file.getFileName()));
            } catch (IOException failed) {
                throw new IllegalStateException(failed);
            }
        }
        return files;
    }
}
