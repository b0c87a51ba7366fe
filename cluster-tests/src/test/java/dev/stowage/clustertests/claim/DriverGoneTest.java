package dev.stowage.clustertests.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.clustertests.image.ImageUnderTest;
import dev.stowage.workbench.cluster.Cluster;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pods need the driver to start and to end, and not in between. */
@NeedsCluster(nodes = 2)
@Tag("long")
class DriverGoneTest {
    private static final String NEXT = "localhost/stowage:next";

    private final Cluster cluster;
    private final Driver driver;

    @AutoClose
    private final Workload workload;

    DriverGoneTest(Cluster cluster) {
        this.cluster = cluster;
        workload = Workload.in(cluster);
        driver = new Driver(cluster);
    }

    @Test
    void writingGoesOnWhenTheDriverIsKilledAndWhenItsPodIsTakenAway() {
        workload.claim("data", "400Mi", "");
        var writer = Writer.start(workload, "writer", "data");
        var node = driver.node(writer.node());
        driver.kill(node);
        writer.assertUninterrupted();
        driver.deletePod(node);
        writer.assertUninterrupted();
        driver.awaitNodes();
        writer.assertUninterrupted();
        workload.deletePod("writer");
        workload.pod("reader", "data");
        assertThat(workload.shell("reader", "tail -n 1 /data/count")).isNotBlank();
    }

    @Test
    void writingGoesOnWhileTheDriverIsUpgraded() {
        workload.claim("data", "400Mi", "");
        var writer = Writer.start(workload, "writer", "data");
        cluster.nodes().forEach(node -> node.nameImage(ImageUnderTest.NAME, NEXT));
        var installation = Installed.in(cluster);
        try {
            Installed.upgrade(installation, NEXT, "");
            assertThat(driver.kubectl("get", "pods", "--output=jsonpath={.items[*].spec.containers[*].image}"))
                    .contains(NEXT)
                    .doesNotContain(ImageUnderTest.NAME);
            writer.assertUninterrupted();
            workload.claim("later", "400Mi", "");
            workload.pod("later", "later");
            assertThat(workload.shell("later", "echo upgraded > /data/note && cat /data/note"))
                    .isEqualTo("upgraded\n");
        } finally {
            Installed.upgrade(installation, ImageUnderTest.NAME, "");
        }
        writer.assertUninterrupted();
    }
}
