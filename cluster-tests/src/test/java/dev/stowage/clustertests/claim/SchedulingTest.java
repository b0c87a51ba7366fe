package dev.stowage.clustertests.claim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.install.Installation;
import dev.stowage.workbench.process.Waiting;
import io.fabric8.kubernetes.api.model.Quantity;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Pods go where there is room for their claims, and volumes go where the pods go. */
@NeedsCluster(nodes = 2)
class SchedulingTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final long GIB = 1L << 30;

    private final Cluster cluster;

    @AutoClose
    private final Workload workload;

    SchedulingTest(Cluster cluster) {
        this.cluster = cluster;
        workload = Workload.in(cluster);
    }

    @Test
    void aPodGoesToTheNodeThatHasRoomForItsClaim() {
        var full = cluster.nodes().getFirst().name();
        var roomy = cluster.nodes().get(1).name();
        awaitCapacity(full, 7 * GIB, Long.MAX_VALUE);
        awaitCapacity(roomy, 7 * GIB, Long.MAX_VALUE);

        workload.claim("filling", "6Gi", "");
        PodManifest.using("filler", "filling").onNode(full).start(workload);
        assertThat(ClaimedVolume.of(cluster, workload, "filling").node()).isEqualTo(full);
        awaitCapacity(full, 1, 2 * GIB);

        workload.claim("large", "5Gi", "");
        PodManifest.using("user", "large").start(workload);
        assertThat(workload.nodeOf("user")).isEqualTo(roomy);
        assertThat(ClaimedVolume.of(cluster, workload, "large").node()).isEqualTo(roomy);
        workload.shell("user", "echo enough room > /data/note && sync");
        assertThat(workload.shell("user", "cat /data/note")).isEqualTo("enough room\n");
    }

    @Test
    void aClaimThatFitsNowhereWaitsAndThePodSaysWhy() {
        workload.claim("huge", "100Gi", "");
        PodManifest.using("user", "huge").create(workload);

        workload.awaitField(
                "pod/user",
                "{.status.conditions[?(@.type=='PodScheduled')].message}",
                "node(s) did not have enough free storage");
        assertThat(workload.field("persistentvolumeclaim/huge", "{.status.phase}"))
                .isEqualTo("Pending");
        assertThat(workload.leftInTheCluster()).isEmpty();
    }

    private void awaitCapacity(String node, long least, long most) {
        assertThat(Waiting.until(Workload.PATIENCE, () -> {
                    var bytes = capacities().getOrDefault(node, -1L);
                    return least <= bytes && bytes <= most;
                }))
                .as("between %d and %d bytes on %s; the scheduler knows of %s", least, most, node, capacities())
                .isTrue();
    }

    /** What the scheduler knows, by node: how many bytes a claim of the class may have there. */
    private Map<String, Long> capacities() {
        var capacities = new HashMap<String, Long>();
        try {
            for (var capacity : JSON.readTree(cluster.kubectl()
                            .run(
                                    "--namespace=" + Installation.NAMESPACE,
                                    "get",
                                    "csistoragecapacities",
                                    "--output=json"))
                    .path("items")) {
                if (capacity.path("storageClassName").asText().equals("stowage")) {
                    capacities.put(
                            capacity.path("nodeTopology")
                                    .path("matchLabels")
                                    .path("local.stowage.dev/node")
                                    .asText(),
                            Quantity.getAmountInBytes(new Quantity(
                                            capacity.path("capacity").asText()))
                                    .longValueExact());
                }
            }
        } catch (JsonProcessingException unreadable) {
            throw new UncheckedIOException("the capacities are not JSON", unreadable);
        }
        return capacities;
    }
}
