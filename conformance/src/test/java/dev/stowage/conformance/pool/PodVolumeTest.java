package dev.stowage.conformance.pool;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.GetCapacityRequest;
import csi.v1.NodeGetVolumeHealthRequest;
import csi.v1.NodeGetVolumeStatsRequest;
import csi.v1.NodePublishVolumeRequest;
import csi.v1.NodeUnpublishVolumeRequest;
import csi.v1.VolumeCapability;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Inline ephemeral volumes: made with the pod that describes them, gone with it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PodVolumeTest {

    private final Rig rig = Rig.with(options -> options.sharingBlocks("1Gi"));

    @AfterAll
    void end() {
        rig.close();
    }

    private Path files() {
        return rig.workspace().root().resolve("pool/pool/ephemeral");
    }

    private Path target(String id) {
        return rig.workspace().directory("pods/" + id).resolve("mount");
    }

    private void publish(String id, VolumeCapability capability, Map<String, String> attributes) {
        rig.csi()
                .node()
                .nodePublishVolume(NodePublishVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .setTargetPath(target(id).toString())
                        .setVolumeCapability(capability)
                        .putVolumeContext("csi.storage.k8s.io/ephemeral", "true")
                        .putVolumeContext("csi.storage.k8s.io/pod.name", "web-0")
                        .putAllVolumeContext(attributes)
                        .build());
    }

    private void unpublish(String id) {
        rig.csi()
                .node()
                .nodeUnpublishVolume(NodeUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .setTargetPath(target(id).toString())
                        .build());
    }

    private long available() {
        return rig.csi()
                .controller()
                .getCapacity(GetCapacityRequest.getDefaultInstance())
                .getAvailableCapacity();
    }

    @Test
    void aPodsOwnVolumeLivesAsLongAsItsPod() throws IOException {
        long before = available();
        publish("csi-1", CsiClient.mounted(""), Map.of("size", "64Mi", "fsType", "ext4"));
        publish("csi-1", CsiClient.mounted(""), Map.of("size", "64Mi", "fsType", "ext4"));
        Files.writeString(target("csi-1").resolve("scratch"), "kept across a restart");
        assertThat(Files.getFileStore(target("csi-1")).getTotalSpace()).isBetween(40 * Claim.MIB, 64 * Claim.MIB);
        assertThat(available()).isEqualTo(before - 64 * Claim.MIB);
        rig.restart();
        assertThat(available()).isEqualTo(before - 64 * Claim.MIB);
        assertThat(target("csi-1").resolve("scratch")).hasContent("kept across a restart");
        assertThat(rig.csi()
                        .node()
                        .nodeGetVolumeStats(NodeGetVolumeStatsRequest.newBuilder()
                                .setVolumeId("csi-1")
                                .setVolumePath(target("csi-1").toString())
                                .build())
                        .getUsageCount())
                .isEqualTo(2);
        assertThat(rig.csi()
                        .node()
                        .nodeGetVolumeHealth(NodeGetVolumeHealthRequest.newBuilder()
                                .setVolumeId("csi-1")
                                .setVolumePublishPath(target("csi-1").toString())
                                .build())
                        .getVolumeHealth()
                        .getHealthStatusesList())
                .isEmpty();
        unpublish("csi-1");
        unpublish("csi-1");
        assertThat(files()).isEmptyDirectory();
        assertThat(target("csi-1")).doesNotExist();
        assertThat(available()).isEqualTo(before);
    }

    @Test
    void whatCannotBeMadeLeavesNothing() {
        Refused.with(Status.Code.INVALID_ARGUMENT, () -> publish("csi-2", CsiClient.mounted(""), Map.of("size", "big")))
                .contains("size");
        Refused.with(
                        Status.Code.INVALID_ARGUMENT,
                        () -> publish("csi-2", CsiClient.mounted(""), Map.of("mountOptions", "errors=panic,bind")))
                .contains("mount option");
        Refused.with(Status.Code.INVALID_ARGUMENT, () -> publish("csi-2", CsiClient.block(), Map.of()));
        Refused.with(
                        Status.Code.RESOURCE_EXHAUSTED,
                        () -> publish(
                                "csi-2", CsiClient.mounted("ext4"), Map.of("size", "10Gi", "provisioning", "thick")))
                .contains("pool");
        assertThat(files()).isEmptyDirectory();
        assertThat(target("csi-2")).doesNotExist();
    }
}
