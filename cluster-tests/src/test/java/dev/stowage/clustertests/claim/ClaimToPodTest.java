package dev.stowage.clustertests.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.workbench.cluster.Cluster;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@NeedsCluster(nodes = 2)
class ClaimToPodTest {

    @AutoClose
    private final Workload workload;

    ClaimToPodTest(Cluster cluster) {
        workload = Workload.in(cluster);
    }

    @Test
    void whatAPodWroteTheNextOneReads() {
        workload.claim("data", "400Mi", "");
        workload.pod("writer", "data");
        workload.shell("writer", "echo remembered > /data/note && sync");
        workload.deletePod("writer");
        workload.pod("reader", "data");
        assertThat(workload.shell("reader", "cat /data/note")).isEqualTo("remembered\n");
    }

    @Test
    void aRawDeviceKeepsItsBytes() {
        workload.claim("device", "64Mi", "volumeMode: Block");
        workload.podWithDevice("writer", "device");
        workload.shell("writer", "echo raw bytes | dd of=/dev/data bs=512 seek=7 conv=fsync,sync");
        workload.deletePod("writer");
        workload.podWithDevice("reader", "device");
        assertThat(workload.shell("reader", "dd if=/dev/data bs=512 skip=7 count=1"))
                .startsWith("raw bytes\n");
    }

    @Test
    void aVolumeGrowsWhileItsPodRuns() {
        workload.claim("data", "400Mi", "");
        workload.pod("user", "data");
        workload.shell("user", "echo before > /data/note");
        workload.grow("data", "900Mi");
        workload.awaitShell(
                "user", "[ $(df -m /data | awk 'NR == 2 {print $2}') -gt 700 ] && echo has grown || true", "has grown");
        assertThat(workload.shell("user", "cat /data/note")).isEqualTo("before\n");
    }

    @Test
    void aSnapshotAndACloneHaveWhatTheirSourceHad() {
        workload.claim("data", "400Mi", "");
        workload.pod("user", "data");
        workload.shell("user", "echo then > /data/note && sync");
        workload.snapshot("kept", "data");
        workload.shell("user", "echo now > /data/note && sync");
        workload.claim(
                "restored",
                "400Mi",
                "dataSource: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: kept}");
        workload.claim("cloned", "400Mi", "dataSource: {kind: PersistentVolumeClaim, name: data}");
        workload.pod("restorer", "restored");
        workload.pod("cloner", "cloned");
        assertThat(workload.shell("restorer", "cat /data/note")).isEqualTo("then\n");
        assertThat(workload.shell("cloner", "cat /data/note")).isEqualTo("now\n");
    }
}
