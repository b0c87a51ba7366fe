package dev.stowage.clustertests.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.process.Waiting;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The worst node to lose: the one that the controller runs on, too. */
@NeedsCluster(nodes = 2)
@Tag("long")
class NodeLostTest {
    private static final String TAINT = "node.kubernetes.io/out-of-service";

    private final Cluster cluster;
    private final Driver driver;

    @AutoClose
    private final Workload workload;

    NodeLostTest(Cluster cluster) {
        this.cluster = cluster;
        workload = Workload.in(cluster);
        driver = new Driver(cluster);
    }

    @Test
    void aLostNodeIsReleasedAndItsVolumesComeBackWithIt() {
        var node = driver.nodeOfController();
        var selector = "{kubernetes.io/hostname: %s}".formatted(node.name());
        workload.claim("data", "400Mi", "");
        workload.pod("first", "data", "sleep 3600", selector);
        workload.shell("first", "echo remembered > /data/note && sync");

        node.kill();
        try {
            cluster.kubectl().run("wait", "--for=condition=Ready=Unknown", "--timeout=180s", "node/" + node.name());
            cluster.kubectl().run("taint", "node", node.name(), TAINT + "=gone:NoExecute");
            workload.namespace().kubectl("wait", "--for=delete", "--timeout=180s", "pod/first");
            await("", () -> cluster.kubectl().run("get", "volumeattachments", "--no-headers", "--ignore-not-found"));

            workload.startPod("second", "data");
            await("node(s) didn't match PersistentVolume's node affinity", () -> workload.events("pod", "second"));
            await("NodeNotResponding", () -> workload.events("persistentvolumeclaim", "data"));
            assertThat(workload.events("persistentvolumeclaim", "data")).contains(node.name());
            assertThat(cluster.kubectl()
                            .run(
                                    "get",
                                    "lvol",
                                    "--output=jsonpath={.items[*].status.conditions[?(@.type==\"Healthy\")].status}"))
                    .isEqualTo("Unknown");
        } finally {
            node.start();
            cluster.awaitReady(node.name());
            cluster.kubectl().run("taint", "node", node.name(), TAINT + "-");
        }

        workload.awaitReady("second");
        assertThat(workload.shell("second", "cat /data/note")).isEqualTo("remembered\n");
        await("VolumeHealthy", () -> workload.events("persistentvolumeclaim", "data"));
        driver.awaitController();
        driver.awaitNodes();
    }

    private static void await(String expected, Supplier<String> text) {
        boolean reached = Waiting.until(
                Workload.PATIENCE,
                () -> expected.isEmpty() ? text.get().isBlank() : text.get().contains(expected));
        assertThat(reached)
                .as("waited for '%s', and there is: %s", expected, text.get())
                .isTrue();
    }
}
