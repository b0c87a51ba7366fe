package dev.stowage.clustertests.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.process.Waiting;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Volumes that are there before their claim. */
@NeedsCluster(nodes = 2)
class ProvisioningTest {
    private final Cluster cluster;

    @AutoClose
    private final ClusterObjects objects;

    @AutoClose
    private final Workload workload;

    ProvisioningTest(Cluster cluster) {
        this.cluster = cluster;
        objects = new ClusterObjects(cluster);
        workload = Workload.in(cluster);
    }

    @Test
    void aVolumeThatWasKeptIsUsedAgainThroughAPersistentVolumeWrittenByHand() {
        var kept = keptVolume();
        try {
            cluster.kubectl().apply(writtenByHand(kept));
            ClaimManifest.of("again", "400Mi")
                    .storageClass("")
                    .with("volumeName: by-hand-" + kept.order())
                    .create(workload);
            PodManifest.using("reader", "again").start(workload);

            assertThat(workload.shell("reader", "cat /data/note")).isEqualTo("worth keeping\n");
            assertThat(workload.nodeOf("reader")).isEqualTo(kept.node());

            workload.deletePod("reader");
            workload.namespace().kubectl("delete", "persistentvolumeclaim", "again", "--timeout=180s");
            assertThat(kept.field("{.status.volumeId}")).isEqualTo(kept.id());
        } finally {
            remove(kept);
        }
    }

    /** Its claim and its PersistentVolume are gone, its data is not. */
    private ClaimedVolume keptVolume() {
        ClaimManifest.of("first", "400Mi")
                .storageClass(objects.storageClass("kept", "reclaimPolicy: Retain"))
                .create(workload);
        PodManifest.using("writer", "first").start(workload);
        workload.shell("writer", "echo worth keeping > /data/note && sync");
        var volume = ClaimedVolume.of(cluster, workload, "first");
        workload.deletePod("writer");
        workload.namespace().kubectl("delete", "persistentvolumeclaim", "first", "--timeout=180s");
        cluster.kubectl().run("delete", "persistentvolume", volume.persistentVolume(), "--timeout=180s");
        assertThat(volume.onNode().list("volumes")).contains(volume.id());
        return volume;
    }

    private static String writtenByHand(ClaimedVolume volume) {
        return """
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: by-hand-%s}
                spec:
                  capacity: {storage: 400Mi}
                  accessModes: [ReadWriteOnce]
                  persistentVolumeReclaimPolicy: Retain
                  csi: {driver: local.stowage.dev, volumeHandle: %s}
                  nodeAffinity:
                    required:
                      nodeSelectorTerms:
                      - matchExpressions: [{key: local.stowage.dev/node, operator: In, values: [%s]}]
                """.formatted(volume.order(), volume.id(), volume.node());
    }

    /** What nobody claims goes when its LocalVolume is deleted, with the file on the node. */
    private void remove(ClaimedVolume volume) {
        cluster.kubectl()
                .run("delete", "persistentvolume", "by-hand-" + volume.order(), "--ignore-not-found", "--timeout=180s");
        assertThat(Waiting.until(Workload.PATIENCE, () -> attachments().isBlank()))
                .as(attachments())
                .isTrue();
        cluster.kubectl().run("delete", "lvol", volume.order(), "--timeout=180s");
        assertThat(volume.onNode().list("volumes")).isEqualTo(List.of());
    }

    private String attachments() {
        return cluster.kubectl().run("get", "volumeattachments", "--no-headers", "--ignore-not-found");
    }
}
