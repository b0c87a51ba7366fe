package dev.stowage.clustertests.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.clustertests.image.ImageUnderTest;
import dev.stowage.workbench.cluster.Cluster;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@NeedsCluster(nodes = 2)
@Tag("long")
class InstallationLifeTest {
    /** Our sidecars in containers of their own, as they serve other drivers. */
    private static final String APART = """
            node: {registrar: stowage, liveness: stowage}
            """;

    private final Cluster cluster;
    private final Driver driver;

    @AutoClose
    private final Workload workload;

    InstallationLifeTest(Cluster cluster) {
        this.cluster = cluster;
        workload = Workload.in(cluster);
        driver = new Driver(cluster);
    }

    @Test
    void withoutTheChartVolumesAndWritersGoOnAndANewInstallationTakesThemOver() {
        workload.claim("data", "400Mi", "");
        var writer = Writer.start(workload, "writer", "data");
        workload.snapshot("before", "data");
        var resources = resources();
        var installation = Installed.in(cluster);
        try {
            installation.uninstall();
            assertThat(driver.kubectl("get", "daemonsets,deployments", "--no-headers", "--ignore-not-found"))
                    .isBlank();
            assertThat(resources()).isEqualTo(resources);
            writer.assertUninterrupted();
        } finally {
            Installed.upgrade(installation, ImageUnderTest.NAME, "");
        }
        assertThat(resources()).isEqualTo(resources);
        writer.assertUninterrupted();
        workload.grow("data", "600Mi");
        workload.awaitShell("writer", "df -m /data | awk 'NR == 2 && $2 > 450 {print \"has grown\"}'", "has grown");
        workload.claim(
                "restored",
                "400Mi",
                "dataSource: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: before}");
        workload.pod("restorer", "restored");
        assertThat(workload.shell("restorer", "head -n 1 /data/count")).isEqualTo("1\n");
        writer.assertUninterrupted();
    }

    @Test
    void theSidecarsOfANodeAreSwappedByAValue() {
        var installation = Installed.in(cluster);
        try {
            Installed.upgrade(installation, ImageUnderTest.NAME, APART);
            assertThat(driver.kubectl(
                            "get",
                            "daemonset",
                            "stowage-node",
                            "--output=jsonpath={.spec.template.spec.containers[*].name}"))
                    .contains("registrar", "liveness");
            workload.claim("data", "400Mi", "");
            workload.pod("user", "data");
            assertThat(workload.shell("user", "echo swapped > /data/note && cat /data/note"))
                    .isEqualTo("swapped\n");
        } finally {
            Installed.upgrade(installation, ImageUnderTest.NAME, "");
        }
        workload.deletePod("user");
        workload.pod("again", "data");
        assertThat(workload.shell("again", "cat /data/note")).isEqualTo("swapped\n");
    }

    /** What belongs to users, by name and identity. */
    private String resources() {
        return cluster.kubectl()
                .run(
                        "get",
                        "lvol,lsnap,persistentvolumes,volumeattachments,volumesnapshotcontents",
                        "--output=jsonpath={range .items[*]}{.kind} {.metadata.name} {.metadata.uid}{\"\\n\"}{end}");
    }
}
