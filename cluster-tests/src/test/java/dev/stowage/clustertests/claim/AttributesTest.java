package dev.stowage.clustertests.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.workbench.cluster.Cluster;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A claim that changes its VolumeAttributesClass while a pod uses it. */
@NeedsCluster(nodes = 2)
class AttributesTest {
    private static final String READ_AHEAD =
            "cat /sys/block/$(awk '$2 == \"/data\" {print substr($1, 6)}' /proc/mounts)/queue/read_ahead_kb";

    private final Cluster cluster;

    @AutoClose
    private final ClusterObjects objects;

    @AutoClose
    private final Workload workload;

    AttributesTest(Cluster cluster) {
        this.cluster = cluster;
        objects = new ClusterObjects(cluster);
        workload = Workload.in(cluster);
    }

    @Test
    void aChangeOfTheClassChangesTheVolumeUnderItsPod() {
        workload.claim("data", "400Mi", "");
        PodManifest.using("user", "data").start(workload);
        workload.shell("user", "echo before > /data/note && sync");
        var volume = ClaimedVolume.of(cluster, workload, "data");
        assertThat(allocatedBytes(volume)).isLessThan(100 << 20);

        change(objects.attributesClass("solid", "provisioning: thick, readAheadKiB: \"64\""));

        assertThat(allocatedBytes(volume)).isGreaterThanOrEqualTo(400 << 20);
        assertThat(workload.shell("user", READ_AHEAD)).isEqualTo("64\n");
        assertThat(workload.shell("user", "cat /data/note")).isEqualTo("before\n");
    }

    @Test
    void aChangeThatIsNotPossibleSaysWhyAndLeavesTheVolumeAsItIs() {
        var good = objects.attributesClass("good", "readAheadKiB: \"32\"");
        workload.claim("data", "400Mi", "volumeAttributesClassName: " + good);
        PodManifest.using("user", "data").start(workload);
        assertThat(workload.shell("user", READ_AHEAD)).isEqualTo("32\n");

        workload.patchClaim("data", volumeAttributesClass(objects.attributesClass("other-filesystem", "fsType: ext4")));

        workload.awaitField("persistentvolumeclaim/data", "{.status.modifyVolumeStatus.status}", "Infeasible");
        workload.awaitField(
                "persistentvolumeclaim/data",
                "{.status.conditions[?(@.type=='ModifyingVolume')].message}",
                "mutable parameter 'fsType' is not known; known are [provisioning, readAheadKiB]");
        assertThat(workload.field("persistentvolumeclaim/data", "{.status.currentVolumeAttributesClassName}"))
                .isEqualTo(good);
        assertThat(ClaimedVolume.of(cluster, workload, "data").field("{.status.mutableParameters}"))
                .isEqualTo("{\"readAheadKiB\":\"32\"}");
        assertThat(workload.shell("user", "echo writable > /data/note && cat /data/note; " + READ_AHEAD))
                .isEqualTo("writable\n32\n");

        change(objects.attributesClass("better", "readAheadKiB: \"16\""));
        assertThat(workload.shell("user", READ_AHEAD)).isEqualTo("16\n");
    }

    private void change(String attributesClass) {
        workload.patchClaim("data", volumeAttributesClass(attributesClass));
        workload.awaitField(
                "persistentvolumeclaim/data", "{.status.currentVolumeAttributesClassName}", attributesClass);
    }

    private static String volumeAttributesClass(String name) {
        return "{\"volumeAttributesClassName\": \"%s\"}".formatted(name);
    }

    private static long allocatedBytes(ClaimedVolume volume) {
        return 512
                * Long.parseLong(volume.onNode()
                        .run("stat", "--format=%b", volume.file())
                        .strip());
    }
}
