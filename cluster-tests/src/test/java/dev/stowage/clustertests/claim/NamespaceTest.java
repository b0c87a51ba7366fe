package dev.stowage.clustertests.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.process.Waiting;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A namespace that is deleted with everything in it, in the order in which it happens to go. */
@NeedsCluster(nodes = 2)
class NamespaceTest {
    private final Cluster cluster;

    @AutoClose
    private final Workload workload;

    NamespaceTest(Cluster cluster) {
        this.cluster = cluster;
        workload = Workload.in(cluster);
    }

    @Test
    void aNamespaceTakesItsVolumesAndSnapshotsWithIt() {
        workload.claim("data", "400Mi", "");
        PodManifest.using("user", "data")
                .volume("{name: inline, csi: {driver: local.stowage.dev, volumeAttributes: {size: 320Mi}}}")
                .mount("{name: inline, mountPath: /inline}")
                .start(workload);
        workload.shell("user", "echo written > /data/note && echo written > /inline/note && sync");
        workload.snapshot("kept", "data");
        ClaimManifest.of("restored", "400Mi").fromSnapshot("kept").create(workload);
        PodManifest.using("reader", "restored").start(workload);
        assertThat(workload.shell("reader", "cat /data/note")).isEqualTo("written\n");

        workload.namespace().close();

        assertThat(Waiting.until(
                        Workload.PATIENCE, () -> workload.leftInTheCluster().isEmpty() && pools().isEmpty()))
                .as("the cluster keeps %s, the nodes keep %s", workload.leftInTheCluster(), pools())
                .isTrue();
    }

    private String pools() {
        var files = new StringBuilder();
        for (var node : cluster.nodes()) {
            for (var directory : new String[] {"volumes", "snapshots", "ephemeral"}) {
                new OnNode(node)
                        .list(directory)
                        .forEach(file -> files.append(file).append(' '));
            }
        }
        return files.toString();
    }
}
