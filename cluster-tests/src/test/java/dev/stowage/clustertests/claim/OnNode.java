package dev.stowage.clustertests.claim;

import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.cluster.ClusterNode;
import java.time.Duration;
import java.util.List;

/** What root sees on a node: the pool, and what is mounted from it. */
record OnNode(ClusterNode node) {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    static OnNode of(Cluster cluster, String name) {
        return new OnNode(cluster.nodes().stream()
                .filter(node -> node.name().equals(name))
                .findAny()
                .orElseThrow(() -> new AssertionError("there is no node " + name)));
    }

    /** The files in a directory of the pool, such as {@code volumes}. */
    List<String> list(String directory) {
        return run("ls", pool(directory)).lines().toList();
    }

    String pool(String path) {
        return "/var/lib/stowage/pool/" + path;
    }

    String run(String... command) {
        return node.run(LIMIT, List.of(command)).orThrow();
    }
}
