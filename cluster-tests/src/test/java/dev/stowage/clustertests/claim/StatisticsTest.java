package dev.stowage.clustertests.claim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.process.Waiting;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** How full a volume is, as the kubelet tells it. */
@NeedsCluster(nodes = 2)
class StatisticsTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final long MIB = 1L << 20;

    private final Cluster cluster;

    @AutoClose
    private final Workload workload;

    StatisticsTest(Cluster cluster) {
        this.cluster = cluster;
        workload = Workload.in(cluster);
    }

    @Test
    void theKubeletKnowsHowFullAVolumeIs() {
        workload.claim("data", "400Mi", "");
        PodManifest.using("user", "data").start(workload);
        workload.shell("user", "dd if=/dev/zero of=/data/filling bs=1M count=100 conv=fsync");
        var node = workload.nodeOf("user");

        assertThat(Waiting.until(
                        Workload.PATIENCE, () -> volume(node).path("usedBytes").asLong() >= 100 * MIB))
                .as(volume(node).toPrettyString())
                .isTrue();
        var volume = volume(node);
        assertThat(volume.path("capacityBytes").asLong()).isBetween(200 * MIB, 400 * MIB);
        assertThat(volume.path("availableBytes").asLong()).isBetween(100 * MIB, 300 * MIB);
        assertThat(volume.path("inodes").asLong()).isPositive();
        assertThat(volume.path("inodesFree").asLong()).isPositive();
        assertThat(volume.path("inodesUsed").asLong()).isPositive();
    }

    private JsonNode volume(String node) {
        try {
            for (var pod : JSON.readTree(cluster.kubectl()
                            .run("get", "--raw", "/api/v1/nodes/%s/proxy/stats/summary".formatted(node)))
                    .path("pods")) {
                for (var volume : pod.path("volume")) {
                    if (volume.at("/pvcRef/name").asText().equals("data")
                            && volume.at("/pvcRef/namespace")
                                    .asText()
                                    .equals(workload.namespace().name())) {
                        return volume;
                    }
                }
            }
            return MissingNode.getInstance();
        } catch (JsonProcessingException unreadable) {
            throw new UncheckedIOException("the kubelet's summary is not JSON", unreadable);
        }
    }
}
