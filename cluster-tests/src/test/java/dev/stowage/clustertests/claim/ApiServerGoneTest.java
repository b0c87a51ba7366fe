package dev.stowage.clustertests.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.cluster.ControlPlane;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@NeedsCluster(nodes = 2)
@Tag("long")
class ApiServerGoneTest {
    private static final Duration OUTAGE = Duration.ofMinutes(1);

    private final Cluster cluster;
    private final Driver driver;

    @AutoClose
    private final Workload workload;

    ApiServerGoneTest(Cluster cluster) {
        this.cluster = cluster;
        workload = Workload.in(cluster);
        driver = new Driver(cluster);
    }

    @Test
    void writingGoesOnWithoutAnApiServerAndEverythingCatchesUpAfterwards() throws InterruptedException {
        workload.claim("data", "400Mi", "");
        var writer = Writer.start(workload, "writer", "data");
        cluster.controlPlane().stopApiServer();
        try {
            Thread.sleep(OUTAGE);
        } finally {
            cluster.controlPlane().startApiServer();
            cluster.await(ControlPlane.API_SERVER);
        }
        cluster.nodes().forEach(node -> cluster.awaitReady(node.name()));
        writer.assertUninterrupted();
        workload.claim("later", "400Mi", "");
        workload.pod("later", "later");
        assertThat(workload.shell("later", "echo back > /data/note && cat /data/note"))
                .isEqualTo("back\n");
        workload.snapshot("after", "later");
        driver.awaitController();
        driver.awaitNodes();
    }
}
