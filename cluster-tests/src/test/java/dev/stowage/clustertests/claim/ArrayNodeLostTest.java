package dev.stowage.clustertests.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.process.Programs;
import dev.stowage.workbench.process.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A node that Kubernetes has lost goes on writing, until the array shuts it out; then its pod starts elsewhere. */
@NeedsCluster(nodes = 2)
class ArrayNodeLostTest {
    private static final String TAINT = "node.kubernetes.io/out-of-service";
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final Cluster cluster;
    private final InstalledArrays arrays;
    private final Driver driver;

    @AutoClose
    private final Workload workload;

    ArrayNodeLostTest(Cluster cluster) {
        this.cluster = cluster;
        arrays = InstalledArrays.in(cluster);
        workload = Workload.in(cluster);
        driver = new Driver(cluster, InstalledArrays.RELEASE);
    }

    @Test
    void aLostNodeThatKeepsWritingIsShutOutAndItsPodMoves() throws InterruptedException {
        // The controller has to survive, and kubectl reaches pods of nodes with a kubelet only.
        var controller = driver.nodeOfController();
        var lost = cluster.nodes().stream()
                .filter(node -> !node.name().equals(controller.name()))
                .findFirst()
                .orElseThrow();
        ClaimManifest.of("data", "1Gi").storageClass(InstalledArrays.CLASS).create(workload);
        var script = "n=0; while n=$((n + 1)); do echo $n | dd of=/data/count oflag=append conv=notrunc,fsync; done";
        workload.pod("writer", "data", script, "{kubernetes.io/hostname: %s}".formatted(lost.name()));
        String volume = workload.field("persistentvolumeclaim/data", "{.spec.volumeName}");
        String file = arrays.array()
                .file(arrays.field("volumes.storage.zadara.com/" + volume, "{.status.ID}"))
                .toString();
        assertThat(changes(file)).as("the pod writes").isTrue();

        lost.stopKubelet();
        try {
            await(() -> arrays.field("node/" + lost.name(), "{.status.conditions[?(@.type==\"Ready\")].status}")
                    .equals("Unknown"));
            assertThat(changes(file)).as("the lost node still writes").isTrue();
            await(() ->
                    arrays.field("node/" + lost.name(), "{.spec.taints[*].key}").contains(TAINT));
            assertThat(changes(file))
                    .as("something was written after the confirmation")
                    .isFalse();

            workload.namespace().kubectl("wait", "--for=delete", "--timeout=180s", "pod/writer");
            workload.pod("reader", "data", "sleep 3600", "{kubernetes.io/hostname: %s}".formatted(controller.name()));
            assertThat(workload.shell("reader", "tail -n 1 /data/count")).isNotBlank();
            workload.shell("reader", "echo moved > /data/note && sync");
        } finally {
            lost.startKubelet();
            cluster.awaitReady(lost.name());
            cluster.kubectl().run("taint", "node", lost.name(), TAINT + "-");
        }
        driver.awaitNodes();
        assertThat(workload.shell("reader", "cat /data/note")).isEqualTo("moved\n");
    }

    private static void await(java.util.function.BooleanSupplier condition) {
        assertThat(Waiting.until(Workload.PATIENCE, condition)).isTrue();
    }

    /** Whether the volume's data is another after some seconds. */
    private static boolean changes(String file) throws InterruptedException {
        String before = digest(file);
        Thread.sleep(4000);
        return !digest(file).equals(before);
    }

    private static String digest(String file) {
        return Programs.run(LIMIT, List.of("sha256sum", file), Map.of(), "").orThrow();
    }
}
