package dev.stowage.clustertests.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.cluster.ClusterNode;
import dev.stowage.workbench.process.Waiting;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pod that is deleted while the node is still at work on its volume, and whose driver dies on top of it. */
@NeedsCluster(nodes = 2)
@Tag("long")
class HalfStagedTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Driver driver;

    @AutoClose
    private final Workload workload;

    HalfStagedTest(Cluster cluster) {
        workload = Workload.in(cluster);
        driver = new Driver(cluster);
    }

    /** @param later how long after the pod has a node; a volume is staged in a few hundred milliseconds */
    @ParameterizedTest(name = "{0} ms after it was scheduled")
    @ValueSource(longs = {0, 150, 300, 600, 1200})
    void nothingStaysOnTheNode(long later) throws InterruptedException {
        workload.claim("data", "400Mi", "");
        workload.startPod("short", "data");
        workload.namespace().kubectl("wait", "--for=condition=PodScheduled", "--timeout=180s", "pod/short");
        var node = driver.node(workload.nodeOf("short"));
        var volume = workload.namespace().kubectl("get", "pvc", "data", "--output=jsonpath={.spec.volumeName}");
        Thread.sleep(later);
        driver.deletePod(node);
        workload.deletePod("short");
        assertThat(Waiting.until(Workload.PATIENCE, () -> mounts(node, volume).isEmpty()))
                .as("%s is mounted: %s", volume, mounts(node, volume))
                .isTrue();
        workload.pod("next", "data");
        assertThat(workload.shell("next", "echo usable > /data/note && cat /data/note"))
                .isEqualTo("usable\n");
    }

    /** Where the volume's own directories, and what is staged for it, are mounted on the node. */
    private static List<String> mounts(ClusterNode node, String volume) {
        return node.run(LIMIT, List.of("cat", "/proc/1/mountinfo"))
                .orThrow()
                .lines()
                .filter(line -> line.contains(volume) || line.contains("local.stowage.dev"))
                .toList();
    }
}
