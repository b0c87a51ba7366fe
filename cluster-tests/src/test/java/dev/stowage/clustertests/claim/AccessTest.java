package dev.stowage.clustertests.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.workbench.cluster.Cluster;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Who may use a volume, how much of it, and in which way. */
@NeedsCluster(nodes = 2)
class AccessTest {
    @AutoClose
    private final ClusterObjects objects;

    @AutoClose
    private final Workload workload;

    AccessTest(Cluster cluster) {
        objects = new ClusterObjects(cluster);
        workload = Workload.in(cluster);
    }

    @Test
    void aClaimForOnePodRefusesASecondUntilTheFirstIsGone() {
        ClaimManifest.of("data", "400Mi").accessMode("ReadWriteOncePod").create(workload);
        PodManifest.using("first", "data").start(workload);
        workload.shell("first", "echo from the first > /data/note && sync");
        var second = PodManifest.using("second", "data");
        second.create(workload);

        workload.awaitField(
                "pod/second",
                "{.status.conditions[?(@.type=='PodScheduled')].message}",
                "PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod");
        assertThat(workload.field("pod/second", "{.status.phase}")).isEqualTo("Pending");

        workload.deletePod("first");
        second.awaitReady(workload);
        assertThat(workload.shell("second", "cat /data/note")).isEqualTo("from the first\n");
    }

    @Test
    void whatIsMountedReadOnlyIsReadAndNotWritten() {
        workload.claim("data", "400Mi", "");
        PodManifest.using("writer", "data")
                .mount("{name: data, mountPath: /watched, readOnly: true}")
                .start(workload);
        workload.shell("writer", "echo written once > /data/note && sync");
        assertThat(workload.shell("writer", "cat /watched/note; touch /watched/more 2>&1 || true"))
                .startsWith("written once\n")
                .contains("Read-only file system");
        workload.deletePod("writer");

        PodManifest.named("reader")
                .volume("{name: data, persistentVolumeClaim: {claimName: data, readOnly: true}}")
                .mount("{name: data, mountPath: /data}")
                .start(workload);
        assertThat(workload.shell("reader", "cat /data/note; touch /data/more 2>&1 || true; mount | grep /data"))
                .startsWith("written once\n")
                .contains("Read-only file system")
                .contains("(ro,");
    }

    @Test
    void partsOfAVolumeAreMountedUnderTheirPath() {
        workload.claim("data", "400Mi", "");
        PodManifest.named("parts")
                .claim("data", "data")
                .inContainer("env: [{name: POD, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]")
                .mount("{name: data, mountPath: /whole}")
                .mount("{name: data, mountPath: /part, subPath: some/where}")
                .mount("{name: data, mountPath: /own, subPathExpr: pods/$(POD)}")
                .start(workload);
        workload.shell("parts", "echo a part > /part/note && echo my own > /own/note");
        assertThat(workload.shell("parts", "cat /whole/some/where/note /whole/pods/parts/note"))
                .isEqualTo("a part\nmy own\n");
    }

    @Test
    void aStorageClassSaysHowItsVolumesAreMounted() {
        var storageClass = objects.storageClass("mounted", "mountOptions: [noatime, largeio]");
        ClaimManifest.of("data", "400Mi").storageClass(storageClass).create(workload);
        PodManifest.using("user", "data").start(workload);
        workload.shell("user", "echo written > /data/note");
        assertThat(workload.shell("user", "cat /data/note; grep ' /data ' /proc/mounts"))
                .startsWith("written\n")
                .contains("noatime", "largeio", " xfs ");
    }
}
