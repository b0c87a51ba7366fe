package dev.stowage.clustertests.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.install.Installation;
import dev.stowage.workbench.process.Waiting;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Volumes that are broken for real, and where that is told: at the volume, as an Event of the claim, as a metric. */
@NeedsCluster(nodes = 2)
@Tag("long")
class HealthTest {
    private static final String CONDITION = "{.status.conditions[?(@.type=='Healthy')].status}";

    private final Cluster cluster;

    @AutoClose
    private final Workload workload;

    HealthTest(Cluster cluster) {
        this.cluster = cluster;
        workload = Workload.in(cluster);
    }

    @Test
    void aBrokenVolumeIsToldAndHealsWithItsCause() {
        workload.claim("missing", "400Mi", "");
        workload.claim("shut", "400Mi", "");
        var pod = PodManifest.named("user")
                .claim("missing", "missing")
                .claim("shut", "shut")
                .mount("{name: missing, mountPath: /missing}")
                .mount("{name: shut, mountPath: /shut}");
        pod.start(workload);
        workload.shell("user", "echo still here > /missing/note && echo here too > /shut/note && sync");
        var missing = ClaimedVolume.of(cluster, workload, "missing");
        var shut = ClaimedVolume.of(cluster, workload, "shut");
        await(missing, "True");
        await(shut, "True");

        missing.onNode().run("mv", missing.file(), away(missing));
        try {
            shut.onNode().run("xfs_io", "-x", "-c", "shutdown", mountOf(shut));
            assertTold("missing", missing, "BackingFileMissing");
            assertTold("shut", shut, "FilesystemError");
        } finally {
            missing.onNode().run("mv", away(missing), missing.file());
        }

        workload.deletePod("user");
        pod.start(workload);
        assertThat(workload.shell("user", "cat /missing/note /shut/note")).isEqualTo("still here\nhere too\n");
        await(missing, "True");
        await(shut, "True");
        awaitEvent("missing", "Normal VolumeHealthy");
        awaitEvent("shut", "Normal VolumeHealthy");
        assertThat(metrics().filter(line -> line.contains(missing.id()) || line.contains(shut.id())))
                .isEmpty();
    }

    private static String away(ClaimedVolume volume) {
        return volume.onNode().pool(volume.id() + ".away");
    }

    private void assertTold(String claim, ClaimedVolume volume, String reason) {
        await(volume, "False");
        assertThat(volume.field("{.status.health[*].reason}")).isEqualTo(reason);
        awaitEvent(claim, "Warning " + reason);
        assertThat(metrics().filter(line -> line.contains(volume.id())))
                .singleElement()
                .asString()
                .contains("reason=\"%s\"".formatted(reason), "node=\"%s\"".formatted(volume.node()))
                .endsWith(" 1.0");
    }

    private void await(ClaimedVolume volume, String healthy) {
        assertThat(Waiting.until(
                        Workload.PATIENCE, () -> volume.field(CONDITION).equals(healthy)))
                .as(volume.field("{.status}"))
                .isTrue();
    }

    private void awaitEvent(String claim, String expected) {
        assertThat(Waiting.until(Workload.PATIENCE, () -> events(claim).contains(expected)))
                .as(events(claim))
                .isTrue();
    }

    private String events(String claim) {
        return workload.namespace()
                .kubectl(
                        "get",
                        "events",
                        "--field-selector=involvedObject.kind=PersistentVolumeClaim,involvedObject.name=" + claim,
                        "--output=jsonpath={range .items[*]}{.type} {.reason} {.message}{'\\n'}{end}");
    }

    private Stream<String> metrics() {
        var pod = cluster.kubectl()
                .run(
                        "--namespace=" + Installation.NAMESPACE,
                        "get",
                        "pods",
                        "--selector=app.kubernetes.io/component=controller",
                        "--output=jsonpath={.items[0].metadata.name}");
        return cluster.kubectl()
                .run(
                        "get",
                        "--raw",
                        "/api/v1/namespaces/%s/pods/%s:9808/proxy/metrics".formatted(Installation.NAMESPACE, pod))
                .lines()
                .filter(line -> line.startsWith("stowage_volume_unhealthy{"));
    }

    /** Where the kubelet had the volume's filesystem mounted. */
    private static String mountOf(ClaimedVolume volume) {
        return volume.onNode()
                .run("findmnt", "--noheadings", "--output=TARGET", "--list")
                .lines()
                .filter(target -> target.contains("/volumes/kubernetes.io~csi/" + volume.persistentVolume() + "/mount"))
                .findFirst()
                .orElseThrow(() -> new AssertionError(volume.persistentVolume() + " is mounted nowhere"));
    }
}
