package dev.stowage.driver.controller;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.CapacityRange;
import csi.v1.ControllerExpandVolumeRequest;
import csi.v1.ControllerModifyVolumeRequest;
import csi.v1.ControllerPublishVolumeRequest;
import csi.v1.ControllerUnpublishVolumeRequest;
import csi.v1.CreateSnapshotRequest;
import csi.v1.CreateVolumeGroupSnapshotRequest;
import csi.v1.CreateVolumeRequest;
import csi.v1.DeleteSnapshotRequest;
import csi.v1.DeleteVolumeGroupSnapshotRequest;
import csi.v1.DeleteVolumeRequest;
import csi.v1.GetMetadataAllocatedRequest;
import csi.v1.GetMetadataDeltaRequest;
import csi.v1.NodeExpandVolumeRequest;
import csi.v1.NodePublishVolumeRequest;
import csi.v1.NodeStageVolumeRequest;
import csi.v1.NodeUnpublishVolumeRequest;
import csi.v1.NodeUnstageVolumeRequest;
import csi.v1.VolumeContentSource;
import dev.stowage.driver.testing.Capabilities;
import dev.stowage.driver.testing.TestingDriver;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** While one call holds an object, another one that touches it is told to come back, and one that does not is served. */
class LanesTest {

    /** Each call touches what its name says. */
    private static final Map<String, Consumer<TestingDriver>> CALLS = Map.ofEntries(
            Map.entry("create volume named n", driver -> driver.controller().createVolume(create("n"))),
            Map.entry("create volume named m", driver -> driver.controller().createVolume(create("m"))),
            Map.entry(
                    "clone v into c",
                    driver -> driver.controller()
                            .createVolume(create("c").toBuilder()
                                    .setVolumeContentSource(VolumeContentSource.newBuilder()
                                            .setVolume(VolumeContentSource.VolumeSource.newBuilder()
                                                    .setVolumeId("vol-v")))
                                    .build())),
            Map.entry("restore s into r", driver -> driver.controller().createVolume(restore("r"))),
            Map.entry("restore s into q", driver -> driver.controller().createVolume(restore("q"))),
            Map.entry(
                    "delete v",
                    driver -> driver.controller()
                            .deleteVolume(DeleteVolumeRequest.newBuilder()
                                    .setVolumeId("vol-v")
                                    .build())),
            Map.entry(
                    "delete w",
                    driver -> driver.controller()
                            .deleteVolume(DeleteVolumeRequest.newBuilder()
                                    .setVolumeId("vol-w")
                                    .build())),
            Map.entry(
                    "publish v",
                    driver -> driver.controller()
                            .controllerPublishVolume(ControllerPublishVolumeRequest.newBuilder()
                                    .setVolumeId("vol-v")
                                    .setNodeId("n")
                                    .setVolumeCapability(Capabilities.mount())
                                    .build())),
            Map.entry(
                    "unpublish v",
                    driver -> driver.controller()
                            .controllerUnpublishVolume(ControllerUnpublishVolumeRequest.newBuilder()
                                    .setVolumeId("vol-v")
                                    .build())),
            Map.entry(
                    "expand v",
                    driver -> driver.controller()
                            .controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                                    .setVolumeId("vol-v")
                                    .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(1))
                                    .build())),
            Map.entry(
                    "modify v",
                    driver -> driver.controller()
                            .controllerModifyVolume(ControllerModifyVolumeRequest.newBuilder()
                                    .setVolumeId("vol-v")
                                    .putModifiableParameters("k", "v")
                                    .build())),
            Map.entry("snapshot v as s1", driver -> driver.controller().createSnapshot(snapshot("vol-v", "s1"))),
            Map.entry("snapshot w as s1", driver -> driver.controller().createSnapshot(snapshot("vol-w", "s1"))),
            Map.entry("snapshot w as s2", driver -> driver.controller().createSnapshot(snapshot("vol-w", "s2"))),
            Map.entry(
                    "delete s",
                    driver -> driver.controller()
                            .deleteSnapshot(DeleteSnapshotRequest.newBuilder()
                                    .setSnapshotId("snap-s")
                                    .build())),
            Map.entry(
                    "group of v and x as g",
                    driver -> driver.groups().createVolumeGroupSnapshot(group("g", "vol-v", "vol-x"))),
            Map.entry("group of y as g", driver -> driver.groups().createVolumeGroupSnapshot(group("g", "vol-y"))),
            Map.entry(
                    "delete group g with s",
                    driver -> driver.groups()
                            .deleteVolumeGroupSnapshot(DeleteVolumeGroupSnapshotRequest.newBuilder()
                                    .setGroupSnapshotId("group-g")
                                    .addSnapshotIds("snap-s")
                                    .build())),
            Map.entry(
                    "blocks of s",
                    driver -> drain(driver.metadata()
                            .getMetadataAllocated(GetMetadataAllocatedRequest.newBuilder()
                                    .setSnapshotId("snap-s")
                                    .build()))),
            Map.entry(
                    "changes from t to s",
                    driver -> drain(driver.metadata()
                            .getMetadataDelta(GetMetadataDeltaRequest.newBuilder()
                                    .setBaseSnapshotId("snap-t")
                                    .setTargetSnapshotId("snap-s")
                                    .build()))),
            Map.entry(
                    "stage v",
                    driver -> driver.node()
                            .nodeStageVolume(NodeStageVolumeRequest.newBuilder()
                                    .setVolumeId("vol-v")
                                    .setStagingTargetPath("/s")
                                    .setVolumeCapability(Capabilities.mount())
                                    .build())),
            Map.entry(
                    "unstage v",
                    driver -> driver.node()
                            .nodeUnstageVolume(NodeUnstageVolumeRequest.newBuilder()
                                    .setVolumeId("vol-v")
                                    .setStagingTargetPath("/s")
                                    .build())),
            Map.entry(
                    "node publish v",
                    driver -> driver.node()
                            .nodePublishVolume(NodePublishVolumeRequest.newBuilder()
                                    .setVolumeId("vol-v")
                                    .setStagingTargetPath("/s")
                                    .setTargetPath("/t")
                                    .setVolumeCapability(Capabilities.mount())
                                    .build())),
            Map.entry(
                    "node unpublish v",
                    driver -> driver.node()
                            .nodeUnpublishVolume(NodeUnpublishVolumeRequest.newBuilder()
                                    .setVolumeId("vol-v")
                                    .setTargetPath("/t")
                                    .build())),
            Map.entry(
                    "node expand v",
                    driver -> driver.node()
                            .nodeExpandVolume(NodeExpandVolumeRequest.newBuilder()
                                    .setVolumeId("vol-v")
                                    .setVolumePath("/t")
                                    .build())));

    private TestingDriver driver;
    private final CountDownLatch holderMayEnd = new CountDownLatch(1);
    private final CountDownLatch holderIsIn = new CountDownLatch(1);

    @BeforeEach
    void start() {
        driver = TestingDriver.complete();
        List.of("v", "w", "x", "y").forEach(driver.backend::addVolume);
    }

    @AfterEach
    void stop() {
        driver.close();
    }

    static Stream<Arguments> clashes() {
        var onVolume = Stream.of(
                        "delete v",
                        "publish v",
                        "unpublish v",
                        "expand v",
                        "modify v",
                        "clone v into c",
                        "snapshot v as s1",
                        "group of v and x as g",
                        "stage v",
                        "unstage v",
                        "node publish v",
                        "node unpublish v",
                        "node expand v")
                .map(second -> Arguments.of("publish v", second));
        return Stream.concat(
                onVolume,
                Stream.of(
                        Arguments.of("clone v into c", "delete v"),
                        Arguments.of("create volume named n", "create volume named n"),
                        Arguments.of("snapshot v as s1", "snapshot w as s1"),
                        Arguments.of("snapshot v as s1", "delete v"),
                        Arguments.of("group of v and x as g", "delete v"),
                        Arguments.of("group of v and x as g", "group of y as g"),
                        Arguments.of("restore s into r", "delete s"),
                        Arguments.of("blocks of s", "delete s"),
                        Arguments.of("changes from t to s", "delete s"),
                        Arguments.of("changes from t to s", "delete group g with s"),
                        Arguments.of("delete group g with s", "restore s into r"),
                        Arguments.of("delete group g with s", "delete s"),
                        Arguments.of("stage v", "delete v")));
    }

    @ParameterizedTest
    @MethodSource("clashes")
    void aSecondCallOnTheSameObjectIsToldToComeBack(String first, String second) {
        whileHeld(first, () -> {
            var failure = TestingDriver.failure(() -> call(second));
            assertThat(failure.getCode()).isEqualTo(Code.ABORTED);
            assertThat(failure.getDescription()).contains("under way");
        });
        call(second);
    }

    static Stream<Arguments> neighbours() {
        return Stream.of(
                Arguments.of("create volume named n", "create volume named m"),
                Arguments.of("publish v", "delete w"),
                Arguments.of("stage v", "snapshot w as s2"),
                Arguments.of("snapshot v as s1", "snapshot w as s2"),
                Arguments.of("restore s into r", "restore s into q"),
                Arguments.of("restore s into r", "blocks of s"),
                Arguments.of("blocks of s", "changes from t to s"));
    }

    @ParameterizedTest
    @MethodSource("neighbours")
    void callsOnDifferentObjectsDoNotNoticeEachOther(String first, String second) {
        whileHeld(first, () -> call(second));
    }

    @Test
    void aLaneIsFreeAgainAfterAFailure() {
        driver.backend.onCall = name -> {
            throw new IllegalStateException("broken");
        };
        assertThat(TestingDriver.code(() -> call("delete v"))).isEqualTo(Code.INTERNAL);
        driver.backend.onCall = name -> {};
        call("delete v");
    }

    private void call(String name) {
        Objects.requireNonNull(CALLS.get(name), name).accept(driver);
    }

    /** Only the first call is held up, so that the second is free to go through. */
    private void whileHeld(String first, Runnable check) {
        var isFirst = new AtomicBoolean(true);
        driver.backend.onCall = name -> {
            if (isFirst.getAndSet(false)) {
                holderIsIn.countDown();
                await(holderMayEnd);
            }
        };
        var holder = CompletableFuture.runAsync(
                () -> call(first), task -> Thread.ofPlatform().start(task));
        await(holderIsIn);
        try {
            check.run();
        } finally {
            holderMayEnd.countDown();
        }
        holder.orTimeout(10, TimeUnit.SECONDS).join();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void drain(java.util.Iterator<?> stream) throws StatusRuntimeException {
        stream.forEachRemaining(message -> {});
    }

    private static CreateVolumeRequest create(String name) {
        return CreateVolumeRequest.newBuilder()
                .setName(name)
                .addVolumeCapabilities(Capabilities.mount())
                .build();
    }

    private static CreateVolumeRequest restore(String name) {
        return create(name).toBuilder()
                .setVolumeContentSource(VolumeContentSource.newBuilder()
                        .setSnapshot(
                                VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId("snap-s")))
                .build();
    }

    private static CreateSnapshotRequest snapshot(String source, String name) {
        return CreateSnapshotRequest.newBuilder()
                .setSourceVolumeId(source)
                .setName(name)
                .build();
    }

    private static CreateVolumeGroupSnapshotRequest group(String name, String... sources) {
        return CreateVolumeGroupSnapshotRequest.newBuilder()
                .setName(name)
                .addAllSourceVolumeIds(List.of(sources))
                .build();
    }
}
