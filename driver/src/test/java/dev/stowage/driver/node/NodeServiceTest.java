package dev.stowage.driver.node;

import static dev.stowage.driver.testing.TestingDriver.failure;
import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.CapacityRange;
import csi.v1.NodeExpandVolumeRequest;
import csi.v1.NodeGetInfoRequest;
import csi.v1.NodeGetStorageHealthRequest;
import csi.v1.NodeGetStorageHealthResponse.StorageBackendHealth;
import csi.v1.NodeGetVolumeHealthRequest;
import csi.v1.NodeGetVolumeStatsRequest;
import csi.v1.NodeGrpc.NodeBlockingStub;
import csi.v1.NodePublishVolumeRequest;
import csi.v1.NodeStageVolumeRequest;
import csi.v1.NodeUnpublishVolumeRequest;
import csi.v1.NodeUnstageVolumeRequest;
import csi.v1.StorageHealthErrorType;
import csi.v1.VolumeCapability;
import csi.v1.VolumeHealthErrorType;
import csi.v1.VolumeUsage;
import dev.stowage.core.backend.NodeVolumes;
import dev.stowage.core.health.HealthIssue;
import dev.stowage.core.health.StorageIssue;
import dev.stowage.core.id.TargetPath;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.AccessMode;
import dev.stowage.core.volume.VolumeUse;
import dev.stowage.driver.testing.Capabilities;
import dev.stowage.driver.testing.TestingDriver;
import io.grpc.Status.Code;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NodeServiceTest {

    private static final VolumeId VOLUME = new VolumeId("vol-a");
    private static final VolumeUse BLOCK = new VolumeUse(new VolumeUse.Block(), AccessMode.SINGLE_NODE_WRITER);

    private static TestingDriver driver;

    @BeforeAll
    static void start() {
        driver = TestingDriver.complete();
    }

    @AfterAll
    static void stop() {
        driver.close();
    }

    @Test
    void stagingTellsTheBackendAll() {
        driver.node()
                .nodeStageVolume(stage().putPublishContext("device", "d")
                        .putVolumeContext("pool", "p")
                        .putSecrets("k", "line\nbreak")
                        .build());
        assertThat(driver.backend.lastReceived())
                .isEqualTo(new NodeVolumes.Stage(
                        VOLUME, new TargetPath("/stage"), BLOCK, Map.of("device", "d"), Map.of("pool", "p")));
        driver.node()
                .nodeUnstageVolume(NodeUnstageVolumeRequest.newBuilder()
                        .setVolumeId("vol-a")
                        .setStagingTargetPath("/stage")
                        .build());
        assertThat(driver.backend.lastReceived()).isEqualTo(new TargetPath("/stage"));
    }

    @Test
    void publishingTellsTheBackendAll() {
        driver.node()
                .nodePublishVolume(publish()
                        .setReadonly(true)
                        .putPublishContext("device", "d")
                        .putVolumeContext("pool", "p")
                        .build());
        assertThat(driver.backend.lastReceived())
                .isEqualTo(new NodeVolumes.Publish(
                        VOLUME,
                        Optional.of(new TargetPath("/stage")),
                        new TargetPath("/target"),
                        BLOCK,
                        true,
                        Map.of("device", "d"),
                        Map.of("pool", "p")));
        driver.node()
                .nodeUnpublishVolume(NodeUnpublishVolumeRequest.newBuilder()
                        .setVolumeId("vol-a")
                        .setTargetPath("/target")
                        .build());
        assertThat(driver.backend.lastReceived()).isEqualTo(new TargetPath("/target"));
    }

    @Test
    void onlyAnEphemeralVolumeIsPublishedWithoutStaging() {
        var unstaged = publish().clearStagingTargetPath();
        var failure = failure(() -> driver.node().nodePublishVolume(unstaged.build()));
        assertThat(failure.getCode()).isEqualTo(Code.FAILED_PRECONDITION);
        assertThat(failure.getDescription()).contains("staging_target_path");

        driver.node()
                .nodePublishVolume(unstaged.putVolumeContext("csi.storage.k8s.io/ephemeral", "true")
                        .build());
        assertThat(((NodeVolumes.Publish) driver.backend.lastReceived()).stagingPath())
                .isEmpty();
    }

    @Test
    void usageCountsBytesAndInodes() {
        var request = NodeGetVolumeStatsRequest.newBuilder()
                .setVolumeId("vol-a")
                .setVolumePath("/target")
                .setStagingTargetPath("/stage")
                .build();
        assertThat(driver.node().nodeGetVolumeStats(request).getUsageList())
                .containsExactly(usage(VolumeUsage.Unit.BYTES, 100, 40, 60), usage(VolumeUsage.Unit.INODES, 10, 4, 6));
        assertThat(driver.backend.lastReceived())
                .isEqualTo(new NodeVolumes.Place(
                        VOLUME, Optional.of(new TargetPath("/target")), Optional.of(new TargetPath("/stage"))));
    }

    @Test
    void aRawDeviceHasNoInodes() {
        var node = driver.backend.nodeSide;
        var inodes = node.inodes;
        node.inodes = Optional.empty();
        try {
            assertThat(driver.node()
                            .nodeGetVolumeStats(NodeGetVolumeStatsRequest.newBuilder()
                                    .setVolumeId("vol-a")
                                    .setVolumePath("/target")
                                    .build())
                            .getUsageList())
                    .extracting(VolumeUsage::getUnit)
                    .containsExactly(VolumeUsage.Unit.BYTES);
        } finally {
            node.inodes = inodes;
        }
    }

    @Test
    void aVolumeIsGrownByPath() {
        var answer = driver.node()
                .nodeExpandVolume(NodeExpandVolumeRequest.newBuilder()
                        .setVolumeId("vol-a")
                        .setVolumePath("/target")
                        .setStagingTargetPath("/stage")
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(1L << 40))
                        .setVolumeCapability(Capabilities.block())
                        .build());
        assertThat(answer.getCapacityBytes()).isEqualTo(1L << 40);
    }

    @Test
    void healthIsToldEvenForAVolumeThatIsNowhere() {
        driver.backend.makeAiling(
                new VolumeId("vol-bad"), new HealthIssue(HealthIssue.Status.INACCESSIBLE, "Gone", "it is gone"));
        var health = driver.node()
                .nodeGetVolumeHealth(NodeGetVolumeHealthRequest.newBuilder()
                        .setVolumeId("vol-bad")
                        .build())
                .getVolumeHealth();
        assertThat(health.getVolumeId()).isEqualTo("vol-bad");
        assertThat(health.getHealthStatuses(0).getStatus()).isEqualTo(VolumeHealthErrorType.INACCESSIBLE);
        assertThat(driver.backend.lastReceived())
                .isEqualTo(new NodeVolumes.Place(new VolumeId("vol-bad"), Optional.empty(), Optional.empty()));
    }

    @Test
    void theStorageBelowTheVolumesHasHealthToo() {
        var node = driver.backend.nodeSide;
        assertThat(driver.node()
                        .nodeGetStorageHealth(NodeGetStorageHealthRequest.getDefaultInstance())
                        .getBackendHealthList())
                .isEmpty();
        node.storageIssues = List.of(
                new StorageIssue(StorageIssue.Status.DEGRADED, "Full", "nearly full"),
                new StorageIssue(StorageIssue.Status.UNREACHABLE, "Gone", "not mounted"));
        try {
            assertThat(driver.node()
                            .nodeGetStorageHealth(NodeGetStorageHealthRequest.getDefaultInstance())
                            .getBackendHealthList())
                    .containsExactly(
                            issue(StorageHealthErrorType.STORAGE_DEGRADED, "Full", "nearly full"),
                            issue(StorageHealthErrorType.STORAGE_UNREACHABLE, "Gone", "not mounted"));
        } finally {
            node.storageIssues = List.of();
        }
    }

    @Test
    void theNodeSaysWhoAndWhereItIs() {
        var info = driver.node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance());
        assertThat(info.getNodeId()).isEqualTo("node-1");
        assertThat(info.getMaxVolumesPerNode()).isEqualTo(7);
        assertThat(info.getAccessibleTopology().getSegmentsMap()).containsEntry("stowage.dev/node", "node-1");
    }

    static Stream<Named<Consumer<NodeBlockingStub>>> wrongRequests() {
        return Stream.of(
                call(
                        "stage without id",
                        stub -> stub.nodeStageVolume(stage().clearVolumeId().build())),
                call(
                        "stage without path",
                        stub -> stub.nodeStageVolume(
                                stage().clearStagingTargetPath().build())),
                call(
                        "stage at a relative path",
                        stub -> stub.nodeStageVolume(
                                stage().setStagingTargetPath("stage").build())),
                call(
                        "stage at a climbing path",
                        stub -> stub.nodeStageVolume(
                                stage().setStagingTargetPath("/a/../etc").build())),
                call(
                        "stage at a path with NUL",
                        stub -> stub.nodeStageVolume(
                                stage().setStagingTargetPath("/a\0b").build())),
                call(
                        "stage without capability",
                        stub -> stub.nodeStageVolume(
                                stage().clearVolumeCapability().build())),
                call(
                        "stage with half a capability",
                        stub -> stub.nodeStageVolume(stage().setVolumeCapability(VolumeCapability.getDefaultInstance())
                                .build())),
                call(
                        "stage with a line break in the context",
                        stub -> stub.nodeStageVolume(
                                stage().putPublishContext("k", "a\nb").build())),
                call(
                        "unstage without id",
                        stub -> stub.nodeUnstageVolume(NodeUnstageVolumeRequest.newBuilder()
                                .setStagingTargetPath("/s")
                                .build())),
                call(
                        "unstage without path",
                        stub -> stub.nodeUnstageVolume(NodeUnstageVolumeRequest.newBuilder()
                                .setVolumeId("v")
                                .build())),
                call(
                        "publish without id",
                        stub -> stub.nodePublishVolume(publish().clearVolumeId().build())),
                call(
                        "publish without target",
                        stub -> stub.nodePublishVolume(
                                publish().clearTargetPath().build())),
                call(
                        "publish without capability",
                        stub -> stub.nodePublishVolume(
                                publish().clearVolumeCapability().build())),
                call(
                        "publish at the root",
                        stub -> stub.nodePublishVolume(
                                publish().setTargetPath("/").build())),
                call(
                        "unpublish without id",
                        stub -> stub.nodeUnpublishVolume(NodeUnpublishVolumeRequest.newBuilder()
                                .setTargetPath("/t")
                                .build())),
                call(
                        "unpublish without target",
                        stub -> stub.nodeUnpublishVolume(NodeUnpublishVolumeRequest.newBuilder()
                                .setVolumeId("v")
                                .build())),
                call(
                        "stats without id",
                        stub -> stub.nodeGetVolumeStats(NodeGetVolumeStatsRequest.newBuilder()
                                .setVolumePath("/t")
                                .build())),
                call(
                        "stats without path",
                        stub -> stub.nodeGetVolumeStats(NodeGetVolumeStatsRequest.newBuilder()
                                .setVolumeId("v")
                                .build())),
                call(
                        "health without id",
                        stub -> stub.nodeGetVolumeHealth(NodeGetVolumeHealthRequest.getDefaultInstance())),
                call(
                        "expand without id",
                        stub -> stub.nodeExpandVolume(NodeExpandVolumeRequest.newBuilder()
                                .setVolumePath("/t")
                                .build())),
                call(
                        "expand without path",
                        stub -> stub.nodeExpandVolume(NodeExpandVolumeRequest.newBuilder()
                                .setVolumeId("v")
                                .build())),
                call(
                        "expand to a negative size",
                        stub -> stub.nodeExpandVolume(NodeExpandVolumeRequest.newBuilder()
                                .setVolumeId("v")
                                .setVolumePath("/t")
                                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(-1))
                                .build())));
    }

    @ParameterizedTest
    @MethodSource("wrongRequests")
    void aWrongRequestIsRefusedBeforeTheBackendHearsOfIt(Consumer<NodeBlockingStub> call) {
        driver.backend.received.clear();
        assertThat(failure(() -> call.accept(driver.node())).getCode()).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(driver.backend.received).isEmpty();
    }

    private static NodeStageVolumeRequest.Builder stage() {
        return NodeStageVolumeRequest.newBuilder()
                .setVolumeId("vol-a")
                .setStagingTargetPath("/stage")
                .setVolumeCapability(Capabilities.block());
    }

    private static NodePublishVolumeRequest.Builder publish() {
        return NodePublishVolumeRequest.newBuilder()
                .setVolumeId("vol-a")
                .setStagingTargetPath("/stage")
                .setTargetPath("/target")
                .setVolumeCapability(Capabilities.block());
    }

    private static VolumeUsage usage(VolumeUsage.Unit unit, long total, long used, long available) {
        return VolumeUsage.newBuilder()
                .setUnit(unit)
                .setTotal(total)
                .setUsed(used)
                .setAvailable(available)
                .build();
    }

    private static StorageBackendHealth issue(StorageHealthErrorType status, String reason, String message) {
        return StorageBackendHealth.newBuilder()
                .setStatus(status)
                .setReason(reason)
                .setMessage(message)
                .build();
    }

    private static Named<Consumer<NodeBlockingStub>> call(String name, Consumer<NodeBlockingStub> call) {
        return Named.of(name, call);
    }
}
