package dev.stowage.clustertests.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.process.Waiting;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A claim becomes a volume on an array, and a pod uses it from whichever node. */
@NeedsCluster(nodes = 2)
class ArrayClaimTest {

    private final Cluster cluster;
    private final InstalledArrays arrays;

    @AutoClose
    private final Workload workload;

    ArrayClaimTest(Cluster cluster) {
        this.cluster = cluster;
        arrays = InstalledArrays.in(cluster);
        workload = Workload.in(cluster);
    }

    private String claim(String name, String size) {
        ClaimManifest.of(name, size).storageClass(InstalledArrays.CLASS).create(workload);
        workload.awaitField("persistentvolumeclaim/" + name, "{.status.phase}", "Bound");
        return workload.field("persistentvolumeclaim/" + name, "{.spec.volumeName}");
    }

    private String attachment(String volume, String node, String path) {
        return arrays.field("volumeattachments.storage.zadara.com/" + volume + "." + node, path);
    }

    @Test
    void writingGoesOnWhenTheDriverIsKilledAndWhenItsPodIsTakenAway() {
        claim("data", "1Gi");
        var writer = Writer.start(workload, "writer", "data");
        var driver = new Driver(cluster, InstalledArrays.RELEASE);
        var node = driver.node(writer.node());
        driver.kill(node);
        writer.assertUninterrupted();
        driver.deletePod(node);
        driver.awaitNodes();
        writer.assertUninterrupted();
        workload.deletePod("writer");
        workload.pod("reader", "data");
        assertThat(workload.shell("reader", "tail -n 1 /data/count")).isNotBlank();
    }

    @Test
    void aVolumeGrowsInUseAndIsSnapshottedAndCopied() {
        claim("data", "1Gi");
        workload.pod("writer", "data");
        workload.shell("writer", "echo before > /data/note && sync");
        workload.grow("data", "2Gi");
        workload.awaitField("persistentvolumeclaim/data", "{.status.capacity.storage}", "2Gi");
        assertThat(workload.megabytes("writer", "/data")).isGreaterThan(1500);

        workload.namespace().apply("""
                apiVersion: snapshot.storage.k8s.io/v1
                kind: VolumeSnapshot
                metadata: {name: evening}
                spec: {volumeSnapshotClassName: arrays, source: {persistentVolumeClaimName: data}}
                """);
        workload.awaitField("volumesnapshot/evening", "{.status.readyToUse}", "true");
        workload.shell("writer", "echo after > /data/note && sync");
        ClaimManifest.of("restored", "2Gi")
                .storageClass(InstalledArrays.CLASS)
                .fromSnapshot("evening")
                .create(workload);
        workload.pod("reader", "restored");
        assertThat(workload.shell("reader", "cat /data/note")).isEqualTo("before\n");
        assertThat(workload.shell("writer", "cat /data/note")).isEqualTo("after\n");
    }

    @Test
    void aRawDeviceIsWhatThePodWroteToIt() {
        ClaimManifest.of("raw", "1Gi")
                .storageClass(InstalledArrays.CLASS)
                .with("volumeMode: Block")
                .create(workload);
        workload.podWithDevice("writer", "raw");
        workload.shell("writer", "echo raw bytes | dd of=/dev/data conv=fsync");
        String volume = workload.field("persistentvolumeclaim/raw", "{.spec.volumeName}");
        workload.deletePod("writer");
        assertThat(arrays.array().start(arrays.field("volumes.storage.zadara.com/" + volume, "{.status.ID}"), 9))
                .isEqualTo("raw bytes");
    }

    @Test
    void aPodWritesAndAnotherOnTheOtherNodeReads() {
        String volume = claim("data", "1Gi");
        assertThat(arrays.field("volumes.storage.zadara.com/" + volume, "{.status.state}"))
                .isEqualTo("Ready");

        workload.pod("writer", "data", "sleep 3600", "{kubernetes.io/hostname: node-1}");
        workload.shell("writer", "echo kept > /data/note && sync");
        assertThat(Waiting.until(
                        Workload.PATIENCE,
                        () -> attachment(volume, "node-1", "{.status.state}").equals("Ready")))
                .isTrue();
        assertThat(attachment(volume, "node-1", "{.status.Block.ISCSIStatus}")).isEqualTo("Active");
        workload.deletePod("writer");

        workload.pod("reader", "data", "sleep 3600", "{kubernetes.io/hostname: node-2}");
        assertThat(workload.shell("reader", "cat /data/note")).isEqualTo("kept\n");
        assertThat(cluster.kubectl()
                        .run(
                                "get",
                                "volumeattachments.storage.zadara.com",
                                "--output=jsonpath={.items[*].metadata.name}"))
                .isEqualTo(volume + ".node-2");
        workload.deletePod("reader");
        workload.namespace().kubectl("delete", "persistentvolumeclaim", "data", "--timeout=180s");

        assertThat(Waiting.until(
                        Workload.PATIENCE,
                        () -> cluster.kubectl()
                                .run("get", "volumes.storage.zadara.com", "--no-headers", "--ignore-not-found")
                                .isBlank()))
                .isTrue();
        assertThat(arrays.array().get("/api/volumes.json")).contains("\"volumes\":[]");
        assertThat(arrays.array().get("/api/servers.json")).contains("\"servers\":[]");
    }
}
