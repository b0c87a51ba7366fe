package dev.stowage.clustertests.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.process.Waiting;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Growth of a volume that nobody uses. */
@NeedsCluster(nodes = 2)
class GrowthTest {
    private final Cluster cluster;

    @AutoClose
    private final ClusterObjects objects;

    @AutoClose
    private final Workload workload;

    GrowthTest(Cluster cluster) {
        this.cluster = cluster;
        objects = new ClusterObjects(cluster);
        workload = Workload.in(cluster);
    }

    @ParameterizedTest
    @ValueSource(strings = {"xfs", "ext4"})
    void aVolumeThatGrewUnusedIsLargerForItsNextPod(String filesystem) {
        var storageClass =
                objects.storageClass(filesystem, "parameters: {csi.storage.k8s.io/fstype: %s}".formatted(filesystem));
        ClaimManifest.of("data", "400Mi").storageClass(storageClass).create(workload);
        PodManifest.using("before", "data").start(workload);
        workload.shell("before", "echo from before > /data/note && sync");
        assertThat(workload.megabytes("before", "/data")).isLessThan(400);
        workload.deletePod("before");
        var volume = ClaimedVolume.of(cluster, workload, "data");
        assertThat(Waiting.until(
                        Workload.PATIENCE,
                        () -> volume.field("{.spec.attachments}").matches("|\\\\[\\\\]")))
                .isTrue();

        workload.grow("data", "900Mi");
        assertThat(Waiting.until(
                        Workload.PATIENCE,
                        () -> volume.field("{.status.sizeBytes}").equals(Long.toString(900L << 20))))
                .as(volume.field("{.status}"))
                .isTrue();

        PodManifest.using("after", "data").start(workload);
        assertThat(workload.shell("after", "cat /data/note")).isEqualTo("from before\n");
        assertThat(workload.megabytes("after", "/data")).isBetween(700L, 900L);
        workload.awaitField("persistentvolumeclaim/data", "{.status.capacity.storage}", "900Mi");
    }
}
