package dev.stowage.clustertests.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.process.Waiting;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Volumes that live as long as their pod. */
@NeedsCluster(nodes = 2)
class EphemeralTest {
    private final Cluster cluster;

    @AutoClose
    private final Workload workload;

    EphemeralTest(Cluster cluster) {
        this.cluster = cluster;
        workload = Workload.in(cluster);
    }

    @Test
    void anInlineVolumeIsWrittenInThePodAndGoneWithIt() {
        PodManifest.named("user")
                .volume("{name: data, csi: {driver: local.stowage.dev, volumeAttributes: {size: 320Mi}}}")
                .mount("{name: data, mountPath: /data}")
                .start(workload);
        workload.shell("user", "echo for now > /data/note && sync");
        assertThat(workload.shell("user", "cat /data/note")).isEqualTo("for now\n");
        assertThat(workload.megabytes("user", "/data")).isBetween(200L, 320L);
        var node = OnNode.of(cluster, workload.nodeOf("user"));
        assertThat(node.list("ephemeral")).hasSize(1);
        assertThat(workload.leftInTheCluster()).isEmpty();

        workload.deletePod("user");
        assertThat(Waiting.until(Workload.PATIENCE, () -> node.list("ephemeral").isEmpty()))
                .as("the pool of the node keeps %s", node.list("ephemeral"))
                .isTrue();
    }

    @Test
    void aGenericEphemeralVolumeIsAClaimThatGoesWithItsPod() {
        PodManifest.named("user")
                .volume("""
                        {name: data, ephemeral: {volumeClaimTemplate: {spec: {storageClassName: stowage, \
                        accessModes: [ReadWriteOnce], resources: {requests: {storage: 400Mi}}}}}}""")
                .mount("{name: data, mountPath: /data}")
                .start(workload);
        workload.shell("user", "echo for now > /data/note && sync");
        assertThat(workload.shell("user", "cat /data/note")).isEqualTo("for now\n");
        assertThat(workload.field("persistentvolumeclaim/user-data", "{.status.phase}"))
                .isEqualTo("Bound");
        var node = OnNode.of(cluster, workload.nodeOf("user"));
        assertThat(node.list("volumes")).hasSize(1);

        workload.deletePod("user");
        assertThat(Waiting.until(
                        Workload.PATIENCE,
                        () -> workload.leftInTheCluster().isEmpty()
                                && node.list("volumes").isEmpty()))
                .as("the cluster keeps %s, the node %s", workload.leftInTheCluster(), node.list("volumes"))
                .isTrue();
        assertThat(workload.namespace().kubectl("get", "persistentvolumeclaims", "--output=name"))
                .isEmpty();
    }
}
