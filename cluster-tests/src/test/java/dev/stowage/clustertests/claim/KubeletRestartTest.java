package dev.stowage.clustertests.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.workbench.cluster.Cluster;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@NeedsCluster(nodes = 2)
class KubeletRestartTest {
    private final Driver driver;

    @AutoClose
    private final Workload workload;

    KubeletRestartTest(Cluster cluster) {
        workload = Workload.in(cluster);
        driver = new Driver(cluster);
    }

    @Test
    void aKubeletThatComesBackFindsItsVolumesAndTheDriver() {
        workload.claim("data", "400Mi", "");
        workload.claim("other", "400Mi", "");
        var writer = Writer.start(workload, "writer", "data");
        var node = driver.node(writer.node());
        workload.pod("leaving", "other", "sleep 3600", "{kubernetes.io/hostname: %s}".formatted(node.name()));
        workload.shell("leaving", "echo kept > /data/note && sync /data/note");
        node.stopKubelet();
        try {
            workload.namespace().kubectl("delete", "pod", "leaving", "--wait=false");
        } finally {
            node.startKubelet();
        }
        workload.namespace().kubectl("wait", "--for=delete", "--timeout=180s", "pod/leaving");
        workload.namespace().awaitExec("writer", "true");
        writer.assertUninterrupted();
        workload.pod("reader", "other");
        assertThat(workload.shell("reader", "cat /data/note")).isEqualTo("kept\n");
    }
}
