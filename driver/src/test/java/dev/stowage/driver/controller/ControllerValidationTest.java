package dev.stowage.driver.controller;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.CapacityRange;
import csi.v1.ControllerExpandVolumeRequest;
import csi.v1.ControllerGetVolumeHealthRequest;
import csi.v1.ControllerGetVolumeRequest;
import csi.v1.ControllerGrpc.ControllerBlockingStub;
import csi.v1.ControllerModifyVolumeRequest;
import csi.v1.ControllerPublishVolumeRequest;
import csi.v1.ControllerUnpublishVolumeRequest;
import csi.v1.CreateSnapshotRequest;
import csi.v1.CreateVolumeRequest;
import csi.v1.DeleteSnapshotRequest;
import csi.v1.DeleteVolumeRequest;
import csi.v1.GetCapacityRequest;
import csi.v1.GetSnapshotRequest;
import csi.v1.ListVolumesRequest;
import csi.v1.Topology;
import csi.v1.TopologyRequirement;
import csi.v1.ValidateVolumeCapabilitiesRequest;
import csi.v1.VolumeCapability;
import csi.v1.VolumeCapability.MountVolume;
import csi.v1.VolumeContentSource;
import dev.stowage.driver.testing.Capabilities;
import dev.stowage.driver.testing.TestingBackend;
import dev.stowage.driver.testing.TestingBackend.Facet;
import dev.stowage.driver.testing.TestingDriver;
import io.grpc.Status.Code;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is missing or malformed is INVALID_ARGUMENT, and the backend never hears of it. */
class ControllerValidationTest {

    private static TestingDriver driver;

    @BeforeAll
    static void start() {
        driver = TestingDriver.complete();
    }

    @AfterAll
    static void stop() {
        driver.close();
    }

    static Stream<Named<Consumer<ControllerBlockingStub>>> wrongRequests() {
        return Stream.of(
                create("no name", CreateVolumeRequest.Builder::clearName),
                create("long name", request -> request.setName("n".repeat(129))),
                create("name with a path", request -> request.setName("../../etc/passwd")),
                create("name with a line break", request -> request.setName("a\nb")),
                create("name with NUL", request -> request.setName("a\0b")),
                create("no capabilities", CreateVolumeRequest.Builder::clearVolumeCapabilities),
                create(
                        "capability without access type",
                        request -> request.addVolumeCapabilities(
                                Capabilities.mount().toBuilder().clearMount())),
                create(
                        "capability without mode",
                        request -> request.addVolumeCapabilities(
                                Capabilities.mount().toBuilder().clearAccessMode())),
                create(
                        "unknown mode",
                        request -> request.addVolumeCapabilities(Capabilities.mount().toBuilder()
                                .setAccessMode(VolumeCapability.AccessMode.getDefaultInstance()))),
                create(
                        "mode of the future",
                        request -> request.addVolumeCapabilities(Capabilities.mount().toBuilder()
                                .setAccessMode(
                                        VolumeCapability.AccessMode.newBuilder().setModeValue(99)))),
                create("group that is no number", group("wheel")),
                create("negative group", group("-1")),
                create("group with a sign", group("+1")),
                create("group of no group", group("4294967295")),
                create("group beyond everything", group("99999999999999999999")),
                create("group in other digits", group("٣")),
                create(
                        "filesystem with a line break",
                        mount(MountVolume.newBuilder().setFsType("ext4\n"))),
                create("long filesystem", mount(MountVolume.newBuilder().setFsType("x".repeat(129)))),
                create("mount flag with NUL", mount(MountVolume.newBuilder().addMountFlags("ro\0rw"))),
                create("too many mount flags", mount(MountVolume.newBuilder().addMountFlags("f".repeat(4097)))),
                create("negative size", size(CapacityRange.newBuilder().setRequiredBytes(-1))),
                create("negative limit", size(CapacityRange.newBuilder().setLimitBytes(-1))),
                create(
                        "limit below size",
                        size(CapacityRange.newBuilder().setRequiredBytes(2).setLimitBytes(1))),
                create("too many parameters", request -> request.putParameters("k", "v".repeat(4096))),
                create("parameter with a line break", request -> request.putParameters("k", "a\nb")),
                create("parameter with NUL in its key", request -> request.putParameters("k\0", "v")),
                create("parameter without key", request -> request.putParameters("", "v")),
                create("mutable parameter with NUL", request -> request.putModifiableParameters("k", "\0")),
                create("too many secrets", request -> request.putSecrets("k", "v".repeat((1 << 20) + 1))),
                create(
                        "source of no kind",
                        request -> request.setVolumeContentSource(VolumeContentSource.getDefaultInstance())),
                create(
                        "source snapshot without id",
                        request -> request.setVolumeContentSource(VolumeContentSource.newBuilder()
                                .setSnapshot(VolumeContentSource.SnapshotSource.getDefaultInstance()))),
                create(
                        "source volume with a path",
                        request -> request.setVolumeContentSource(VolumeContentSource.newBuilder()
                                .setVolume(VolumeContentSource.VolumeSource.newBuilder()
                                        .setVolumeId("../x")))),
                create(
                        "topology with a line break",
                        request -> request.setAccessibilityRequirements(TopologyRequirement.newBuilder()
                                .addRequisite(Topology.newBuilder().putSegments("zone", "a\nb")))),
                call("delete without id", stub -> stub.deleteVolume(DeleteVolumeRequest.getDefaultInstance())),
                call(
                        "delete with a path",
                        stub -> stub.deleteVolume(DeleteVolumeRequest.newBuilder()
                                .setVolumeId("../x")
                                .build())),
                call(
                        "delete with an option",
                        stub -> stub.deleteVolume(DeleteVolumeRequest.newBuilder()
                                .setVolumeId("--force")
                                .build())),
                call(
                        "delete with a look-alike",
                        stub -> stub.deleteVolume(DeleteVolumeRequest.newBuilder()
                                .setVolumeId("vоl-a")
                                .build())),
                publish("publish without volume", ControllerPublishVolumeRequest.Builder::clearVolumeId),
                publish("publish without node", ControllerPublishVolumeRequest.Builder::clearNodeId),
                publish("publish with an unreadable node", request -> request.setNodeId("no/de")),
                publish("publish with a long node", request -> request.setNodeId("n".repeat(257))),
                publish("publish without capability", ControllerPublishVolumeRequest.Builder::clearVolumeCapability),
                publish("publish with NUL in the context", request -> request.putVolumeContext("k", "\0")),
                publish("publish with a huge context", request -> request.putVolumeContext("k", "v".repeat(64 << 10))),
                call(
                        "unpublish without volume",
                        stub -> stub.controllerUnpublishVolume(ControllerUnpublishVolumeRequest.newBuilder()
                                .setNodeId("n")
                                .build())),
                call(
                        "unpublish with an unreadable node",
                        stub -> stub.controllerUnpublishVolume(ControllerUnpublishVolumeRequest.newBuilder()
                                .setVolumeId("v")
                                .setNodeId("a b")
                                .build())),
                call(
                        "validate without volume",
                        stub -> stub.validateVolumeCapabilities(ValidateVolumeCapabilitiesRequest.newBuilder()
                                .addVolumeCapabilities(Capabilities.mount())
                                .build())),
                call(
                        "validate without capabilities",
                        stub -> stub.validateVolumeCapabilities(ValidateVolumeCapabilitiesRequest.newBuilder()
                                .setVolumeId("v")
                                .build())),
                call(
                        "list with a negative bound",
                        stub -> stub.listVolumes(ListVolumesRequest.newBuilder()
                                .setMaxEntries(-1)
                                .build())),
                call(
                        "get without id",
                        stub -> stub.controllerGetVolume(ControllerGetVolumeRequest.getDefaultInstance())),
                call(
                        "health without id",
                        stub -> stub.controllerGetVolumeHealth(ControllerGetVolumeHealthRequest.getDefaultInstance())),
                call(
                        "modify without id",
                        stub -> stub.controllerModifyVolume(ControllerModifyVolumeRequest.newBuilder()
                                .putModifiableParameters("k", "v")
                                .build())),
                call(
                        "modify nothing",
                        stub -> stub.controllerModifyVolume(ControllerModifyVolumeRequest.newBuilder()
                                .setVolumeId("v")
                                .build())),
                call(
                        "capacity with a malformed capability",
                        stub -> stub.getCapacity(GetCapacityRequest.newBuilder()
                                .addVolumeCapabilities(VolumeCapability.getDefaultInstance())
                                .build())),
                call(
                        "snapshot without source",
                        stub -> stub.createSnapshot(
                                CreateSnapshotRequest.newBuilder().setName("s").build())),
                call(
                        "snapshot without name",
                        stub -> stub.createSnapshot(CreateSnapshotRequest.newBuilder()
                                .setSourceVolumeId("v")
                                .build())),
                call(
                        "delete snapshot without id",
                        stub -> stub.deleteSnapshot(DeleteSnapshotRequest.getDefaultInstance())),
                call("get snapshot without id", stub -> stub.getSnapshot(GetSnapshotRequest.getDefaultInstance())),
                call(
                        "expand without id",
                        stub -> stub.controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(1))
                                .build())),
                call(
                        "expand without size",
                        stub -> stub.controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                                .setVolumeId("v")
                                .build())),
                call(
                        "expand to nothing",
                        stub -> stub.controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                                .setVolumeId("v")
                                .setCapacityRange(CapacityRange.getDefaultInstance())
                                .build())));
    }

    @ParameterizedTest
    @MethodSource("wrongRequests")
    void aWrongRequestIsRefusedBeforeTheBackendHearsOfIt(Consumer<ControllerBlockingStub> call) {
        driver.backend.received.clear();
        var failure = TestingDriver.failure(() -> call.accept(driver.controller()));
        assertThat(failure.getCode()).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(failure.getDescription()).isNotBlank().doesNotContain("\n", "\0");
        assertThat(driver.backend.received).isEmpty();
    }

    @Test
    void whatAnOrchestratorAddsToAContextFits() {
        driver.backend.addVolume("big");
        var answer = driver.controller()
                .controllerPublishVolume(ControllerPublishVolumeRequest.newBuilder()
                        .setVolumeId("vol-big")
                        .setNodeId("n")
                        .setVolumeCapability(Capabilities.mount())
                        .putVolumeContext("csi.storage.k8s.io/serviceAccount.tokens", "t".repeat(20_000))
                        .build());
        assertThat(answer.getPublishContextCount()).isEqualTo(1);
    }

    @Test
    void aSourceThatTheStorageDoesNotSupportIsInvalid() {
        var fromVolume = VolumeContentSource.newBuilder()
                .setVolume(VolumeContentSource.VolumeSource.newBuilder().setVolumeId("v"))
                .build();
        var fromSnapshot = VolumeContentSource.newBuilder()
                .setSnapshot(VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId("s"))
                .build();
        try (var poor = TestingDriver.of(TestingBackend.with(Facet.CONTROLLER))) {
            for (var source : List.of(fromVolume, fromSnapshot)) {
                assertThat(TestingDriver.code(() -> poor.controller()
                                .createVolume(
                                        valid().setVolumeContentSource(source).build())))
                        .isEqualTo(Code.INVALID_ARGUMENT);
            }
            assertThat(TestingDriver.code(() -> poor.controller()
                            .createVolume(
                                    valid().putModifiableParameters("k", "v").build())))
                    .isEqualTo(Code.INVALID_ARGUMENT);
        }
    }

    private static CreateVolumeRequest.Builder valid() {
        return CreateVolumeRequest.newBuilder().setName("n").addVolumeCapabilities(Capabilities.mount());
    }

    private static Named<Consumer<ControllerBlockingStub>> create(
            String name, UnaryOperator<CreateVolumeRequest.Builder> change) {
        var request = change.apply(valid()).build();
        return call("create: " + name, stub -> stub.createVolume(request));
    }

    private static UnaryOperator<CreateVolumeRequest.Builder> group(String group) {
        return mount(MountVolume.newBuilder().setVolumeMountGroup(group));
    }

    private static UnaryOperator<CreateVolumeRequest.Builder> mount(MountVolume.Builder mount) {
        return request -> request.addVolumeCapabilities(Capabilities.mount(mount.build()));
    }

    private static UnaryOperator<CreateVolumeRequest.Builder> size(CapacityRange.Builder range) {
        return request -> request.setCapacityRange(range);
    }

    private static Named<Consumer<ControllerBlockingStub>> publish(
            String name, UnaryOperator<ControllerPublishVolumeRequest.Builder> change) {
        var request = change.apply(ControllerPublishVolumeRequest.newBuilder()
                        .setVolumeId("v")
                        .setNodeId("n")
                        .setVolumeCapability(Capabilities.mount()))
                .build();
        return call(name, stub -> stub.controllerPublishVolume(request));
    }

    private static Named<Consumer<ControllerBlockingStub>> call(String name, Consumer<ControllerBlockingStub> call) {
        return Named.of(name, call);
    }
}
