package dev.stowage.clustertests.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.clustertests.TestNamespace;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.install.Installation;
import dev.stowage.workbench.process.Waiting;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@NeedsCluster(nodes = 2)
class ClaimToPodTest {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Cluster cluster;
    private final TestNamespace namespace;
    private final Workload workload;

    ClaimToPodTest(Cluster cluster) {
        this.cluster = cluster;
        this.namespace = new TestNamespace(cluster);
        this.workload = new Workload(namespace);
    }

    @BeforeEach
    void install() {
        Installed.in(cluster);
    }

    /** A namespace that is deleted takes everything with it, also on the nodes. */
    @AfterEach
    void removeEverything() {
        namespace.close();
        assertThat(Waiting.until(PATIENCE, () -> left().isBlank())).as(left()).isTrue();
    }

    private String left() {
        return cluster.kubectl()
                .run(
                        "get",
                        "lvol,lsnap,lgsnap,persistentvolumes,volumeattachments",
                        "--no-headers",
                        "--ignore-not-found");
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
        namespace.kubectl(
                "patch",
                "persistentvolumeclaim",
                "data",
                "--patch={\"spec\":{\"resources\":{\"requests\":{\"storage\":\"900Mi\"}}}}");
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

    @Test
    void writingGoesOnWhileTheDriverIsGone() {
        workload.claim("data", "400Mi", "");
        workload.pod("writer", "data");
        workload.shell("writer", "(while sleep 0.1; do date +%s%N >> /data/log || exit; sync; done) >/dev/null 2>&1 &");
        cluster.kubectl()
                .run(
                        "--namespace=" + Installation.NAMESPACE,
                        "delete",
                        "pods",
                        "--selector=app.kubernetes.io/component=node",
                        "--grace-period=0",
                        "--force",
                        "--timeout=120s");
        var before = lines();
        assertThat(Waiting.until(PATIENCE, () -> lines() > before + 20)).isTrue();
        cluster.kubectl()
                .run(
                        "--namespace=" + Installation.NAMESPACE,
                        "rollout",
                        "status",
                        "daemonset/stowage-node",
                        "--timeout=180s");
        assertThat(workload.shell("writer", "touch /data/more && echo writable"))
                .isEqualTo("writable\n");
    }

    private long lines() {
        return Long.parseLong(workload.shell("writer", "wc -l < /data/log").strip());
    }
}
