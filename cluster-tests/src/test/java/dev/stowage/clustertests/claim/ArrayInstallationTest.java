package dev.stowage.clustertests.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.workbench.cluster.Cluster;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What users have on arrays does not depend on the driver's installation. */
@NeedsCluster(nodes = 2)
class ArrayInstallationTest {
    private static final String RESOURCES =
            "vscsc,vpsa,vscnode,volumes.storage.zadara.com,vas,persistentvolumes,volumeattachments,"
                    + "snapshots.storage.zadara.com,externalvolumes.storage.zadara.com";

    private final Cluster cluster;
    private final InstalledArrays arrays;

    @AutoClose
    private final Workload workload;

    ArrayInstallationTest(Cluster cluster) {
        this.cluster = cluster;
        arrays = InstalledArrays.in(cluster);
        workload = Workload.in(cluster);
    }

    @Test
    void withoutTheChartVolumesAndWritersGoOnAndANewInstallationTakesThemOver() {
        ClaimManifest.of("data", "1Gi").storageClass(InstalledArrays.CLASS).create(workload);
        var writer = Writer.start(workload, "writer", "data");
        String volume = workload.field("persistentvolumeclaim/data", "{.spec.volumeName}");
        arrays.awaitField(
                "volumeattachments.storage.zadara.com/" + volume + "." + writer.node(), "{.status.state}", "Ready");
        String key = key();
        String resources = resources();
        try {
            arrays.uninstall();
            assertThat(resources()).isEqualTo(resources);
            writer.assertUninterrupted();
        } finally {
            arrays.install();
        }
        assertThat(resources()).isEqualTo(resources);
        assertThat(key()).isEqualTo(key);
        writer.assertUninterrupted();

        workload.grow("data", "2Gi");
        workload.awaitField("persistentvolumeclaim/data", "{.status.capacity.storage}", "2Gi");
        writer.assertUninterrupted();
        workload.deletePod("writer");
        workload.pod("reader", "data");
        assertThat(workload.shell("reader", "head -n 1 /data/count")).isEqualTo("1\n");
    }

    /** What belongs to users, by name and identity. */
    private String resources() {
        return cluster.kubectl()
                .run(
                        "get",
                        RESOURCES,
                        "--output=jsonpath={range .items[*]}{.kind} {.metadata.name} {.metadata.uid}{\"\\n\"}{end}");
    }

    private String key() {
        return new Driver(cluster, InstalledArrays.RELEASE)
                .kubectl(
                        "get",
                        "secret",
                        InstalledArrays.RELEASE + "-encryption-secret",
                        "--output=jsonpath={.data.GLOBAL_ENCRYPTION_KEY}");
    }
}
