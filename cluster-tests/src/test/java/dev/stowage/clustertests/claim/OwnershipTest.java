package dev.stowage.clustertests.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.workbench.cluster.Cluster;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The group of a pod owns its volumes. The kubelet leaves that to the driver, which says that it can. */
@NeedsCluster(nodes = 2)
class OwnershipTest {
    @AutoClose
    private final Workload workload;

    OwnershipTest(Cluster cluster) {
        workload = Workload.in(cluster);
    }

    @Test
    void aVolumeBelongsToTheGroupOfItsPod() {
        workload.claim("data", "400Mi", "");
        ofGroup("first", 2000, "Always").start(workload);
        workload.shell("first", "mkdir /data/inner && echo from the first > /data/inner/note");
        assertThat(owners("first", "/data /data/inner /data/inner/note")).isEqualTo("0:2000\n1000:2000\n1000:2000\n");
        assertThat(workload.shell("first", "stat -c %A /data")).matches("drwxrws.*\n");
        workload.deletePod("first");

        ofGroup("second", 3000, "Always").start(workload);
        assertThat(owners("second", "/data /data/inner /data/inner/note")).isEqualTo("0:3000\n1000:3000\n1000:3000\n");
        assertThat(workload.shell("second", "echo and the second >> /data/inner/note; cat /data/inner/note"))
                .isEqualTo("from the first\nand the second\n");
    }

    @Test
    void aVolumeWhoseRootHasTheRightGroupIsNotLookedThrough() {
        workload.claim("data", "400Mi", "");
        ofGroup("first", 2000, "OnRootMismatch").start(workload);
        workload.deletePod("first");
        PodManifest.using("stranger", "data").start(workload);
        workload.shell("stranger", "echo foreign > /data/foreign && chown 7:7 /data/foreign");
        workload.deletePod("stranger");

        ofGroup("second", 2000, "OnRootMismatch").start(workload);
        assertThat(owners("second", "/data /data/foreign")).isEqualTo("0:2000\n7:7\n");
        assertThat(workload.shell("second", "cat /data/foreign")).isEqualTo("foreign\n");
    }

    private static PodManifest ofGroup(String name, int group, String policy) {
        return PodManifest.using(name, "data")
                .inSpec("securityContext: {runAsUser: 1000, runAsGroup: 1000, fsGroup: %d, fsGroupChangePolicy: %s}"
                        .formatted(group, policy));
    }

    private String owners(String pod, String paths) {
        return workload.shell(pod, "stat -c %u:%g " + paths);
    }
}
