package dev.stowage.conformance.rpc;

import static csi.v1.VolumeCapability.AccessMode.Mode.MULTI_NODE_MULTI_WRITER;
import static csi.v1.VolumeCapability.AccessMode.Mode.SINGLE_NODE_MULTI_WRITER;
import static csi.v1.VolumeCapability.AccessMode.Mode.SINGLE_NODE_READER_ONLY;
import static csi.v1.VolumeCapability.AccessMode.Mode.SINGLE_NODE_SINGLE_WRITER;
import static csi.v1.VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import csi.v1.CapacityRange;
import csi.v1.ControllerExpandVolumeRequest;
import csi.v1.ControllerModifyVolumeRequest;
import csi.v1.CreateSnapshotRequest;
import csi.v1.CreateVolumeRequest;
import csi.v1.DeleteVolumeRequest;
import csi.v1.NodeExpandVolumeRequest;
import csi.v1.Topology;
import csi.v1.TopologyRequirement;
import csi.v1.ValidateVolumeCapabilitiesRequest;
import csi.v1.ValidateVolumeCapabilitiesResponse;
import csi.v1.VolumeCapability;
import csi.v1.VolumeContentSource;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.harness.Workspace;
import io.grpc.Status.Code;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The same name, node or path again, with another wish. */
class ConflictsTest {

    private static final long SIZE = 64 * Claim.MIB;
    private static final VolumeCapability EXT4 = CsiClient.mounted("ext4");

    private static Workspace workspace;
    private static RunningDriver driver;

    @BeforeAll
    static void start() {
        workspace = Workspace.create();
        driver = RunningDriver.in(workspace)
                .sharingBlocks("4Gi")
                .with("--attach-limit", "3")
                .start();
    }

    @AfterAll
    static void clear() {
        try (var _ = workspace;
                var running = driver) {
            Scene.clear(running.csi());
        }
    }

    private static void expect(Code code, Message request) {
        var answer = Rpc.call(driver.csi(), request);
        assertThat(answer.code()).as("%s: %s", Rpc.taking(request), answer).isEqualTo(code);
    }

    private static Claim claim(String name, VolumeCapability use) {
        return Claim.create(driver.csi(), workspace, name, SIZE, use);
    }

    private static VolumeCapability in(VolumeCapability.AccessMode.Mode mode) {
        return EXT4.toBuilder().setAccessMode(CsiClient.mode(mode)).build();
    }

    private static CreateVolumeRequest.Builder wish(String name) {
        return Claim.request(name, SIZE, EXT4, Map.of()).toBuilder();
    }

    @Test
    void aVolumesNameIsTakenByTheFirstWish() {
        var claim = claim("taken", EXT4);
        var snapshot = claim.snapshot("of-taken");
        var source = VolumeContentSource.newBuilder()
                .setSnapshot(VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId(snapshot.getSnapshotId()));
        expect(Code.OK, wish("taken").build());
        // A range that the volume lies in is the same wish; so is another use that it can have as well.
        expect(
                Code.OK,
                wish("taken").setCapacityRange(range(SIZE / 2, 2 * SIZE)).build());
        expect(
                Code.OK,
                wish("taken")
                        .clearVolumeCapabilities()
                        .addVolumeCapabilities(CsiClient.block())
                        .build());
        expect(
                Code.ALREADY_EXISTS,
                wish("taken").setCapacityRange(range(2 * SIZE, 0)).build());
        expect(
                Code.ALREADY_EXISTS,
                wish("taken").setCapacityRange(range(0, SIZE / 2)).build());
        expect(
                Code.ALREADY_EXISTS,
                wish("taken").putParameters("provisioning", "thick").build());
        expect(Code.ALREADY_EXISTS, wish("taken").putParameters("fsType", "xfs").build());
        expect(
                Code.ALREADY_EXISTS,
                wish("taken").putModifiableParameters("readAheadKiB", "64").build());
        expect(Code.ALREADY_EXISTS, wish("taken").setVolumeContentSource(source).build());
        expect(
                Code.ALREADY_EXISTS,
                wish("taken").setAccessibilityRequirements(elsewhere()).build());
    }

    @Test
    void whatCannotBeMadeIsRefusedByItsCode() {
        var source = claim("large-source", EXT4);
        var copy = VolumeContentSource.newBuilder()
                .setVolume(VolumeContentSource.VolumeSource.newBuilder().setVolumeId(source.id()));
        expect(
                Code.RESOURCE_EXHAUSTED,
                wish("elsewhere").setAccessibilityRequirements(elsewhere()).build());
        expect(
                Code.INVALID_ARGUMENT,
                wish("wide")
                        .clearVolumeCapabilities()
                        .addVolumeCapabilities(in(MULTI_NODE_MULTI_WRITER))
                        .build());
        expect(
                Code.OUT_OF_RANGE,
                wish("small-copy")
                        .setVolumeContentSource(copy)
                        .setCapacityRange(range(0, SIZE / 2))
                        .build());
        expect(
                Code.OUT_OF_RANGE,
                wish("huge").setCapacityRange(range(Long.MAX_VALUE, 0)).build());
        expect(
                Code.RESOURCE_EXHAUSTED,
                wish("thick")
                        .putParameters("provisioning", "thick")
                        .setCapacityRange(range(64 * Claim.GIB, 0))
                        .build());
        expect(
                Code.INVALID_ARGUMENT,
                wish("misspelt").putParameters("provisionning", "thick").build());
        expect(
                Code.INVALID_ARGUMENT,
                wish("backwards").setCapacityRange(range(2 * SIZE, SIZE)).build());
        expect(
                Code.INVALID_ARGUMENT,
                wish("negative").setCapacityRange(range(-1, 0)).build());
    }

    private static CapacityRange range(long required, long limit) {
        return CapacityRange.newBuilder()
                .setRequiredBytes(required)
                .setLimitBytes(limit)
                .build();
    }

    private static TopologyRequirement elsewhere() {
        return TopologyRequirement.newBuilder()
                .addRequisite(Topology.newBuilder().putSegments("local.stowage.dev/node", "another"))
                .build();
    }

    @Test
    void aSnapshotsNameIsTakenByTheFirstWish() {
        var one = claim("snap-one", EXT4);
        var two = claim("snap-two", EXT4);
        one.snapshot("taken-snapshot");
        expect(
                Code.ALREADY_EXISTS,
                CreateSnapshotRequest.newBuilder()
                        .setName("taken-snapshot")
                        .setSourceVolumeId(two.id())
                        .build());
        expect(
                Code.INVALID_ARGUMENT,
                CreateSnapshotRequest.newBuilder()
                        .setName("misspelt")
                        .setSourceVolumeId(two.id())
                        .putParameters("colour", "blue")
                        .build());
    }

    @Test
    void anAttachmentIsAsItWasFirstAskedFor() {
        var claim = claim("attached", EXT4);
        claim.attach();
        expect(
                Code.ALREADY_EXISTS,
                claim.attachRequest().toBuilder().setReadonly(true).build());
        expect(
                Code.ALREADY_EXISTS,
                claim.attachRequest().toBuilder()
                        .setVolumeCapability(CsiClient.block())
                        .build());
        expect(
                Code.ALREADY_EXISTS,
                claim.attachRequest().toBuilder()
                        .setVolumeCapability(in(SINGLE_NODE_READER_ONLY))
                        .build());
        expect(
                Code.NOT_FOUND,
                claim.attachRequest().toBuilder().setNodeId("another").build());
        expect(
                Code.INVALID_ARGUMENT,
                claim.attachRequest().toBuilder()
                        .setVolumeCapability(in(MULTI_NODE_MULTI_WRITER))
                        .build());
        expect(
                Code.FAILED_PRECONDITION,
                DeleteVolumeRequest.newBuilder().setVolumeId(claim.id()).build());
        claim.detach();
    }

    @Test
    void aNodeTakesNoMoreThanItsLimitAndTakesOneAgainWhenOneWent() {
        var claims =
                IntStream.range(0, 4).mapToObj(i -> claim("limit-" + i, EXT4)).toList();
        claims.subList(0, 3).forEach(Claim::attach);
        expect(Code.RESOURCE_EXHAUSTED, claims.get(3).attachRequest());
        claims.get(0).detach();
        expect(Code.OK, claims.get(3).attachRequest());
        claims.forEach(Claim::detach);
    }

    @Test
    void aVolumeIsStagedOnceAndAsItWasFirstAskedFor() {
        var claim = claim("staged", EXT4);
        claim.attach();
        claim.stage();
        expect(
                Code.ALREADY_EXISTS,
                claim.stageRequest().toBuilder()
                        .setVolumeCapability(CsiClient.block())
                        .build());
        expect(
                Code.ALREADY_EXISTS,
                claim.stageRequest().toBuilder()
                        .setVolumeCapability(CsiClient.mounted("xfs"))
                        .build());
        expect(
                Code.ALREADY_EXISTS,
                claim.stageRequest().toBuilder()
                        .setVolumeCapability(CsiClient.mounted("ext4", "noatime"))
                        .build());
        expect(
                Code.FAILED_PRECONDITION,
                claim.stageRequest().toBuilder()
                        .setStagingTargetPath(
                                workspace.directory("staging/elsewhere").toString())
                        .build());
        claim.unstage();
        claim.detach();
    }

    @Test
    void aTargetIsAsItWasFirstAskedForAndASecondOneDependsOnTheMode() {
        for (var mode : new VolumeCapability.AccessMode.Mode[] {
            SINGLE_NODE_WRITER, SINGLE_NODE_SINGLE_WRITER, SINGLE_NODE_MULTI_WRITER
        }) {
            var claim = claim("published-" + mode.getNumber(), in(mode));
            claim.use("pod");
            expect(
                    Code.ALREADY_EXISTS,
                    claim.publishRequest("pod").toBuilder().setReadonly(true).build());
            // The second table of NodePublishVolume, which counts for plugins that know SINGLE_NODE_MULTI_WRITER.
            expect(
                    mode == SINGLE_NODE_MULTI_WRITER ? Code.OK : Code.FAILED_PRECONDITION,
                    claim.publishRequest("second"));
            claim.unpublish("second");
            claim.release("pod");
        }
    }

    @Test
    void aVolumeNeverShrinksAndTheNodeFollows() {
        var claim = claim("grown", CsiClient.block());
        claim.use("pod");
        var expand = ControllerExpandVolumeRequest.newBuilder().setVolumeId(claim.id());
        var follow = NodeExpandVolumeRequest.newBuilder()
                .setVolumeId(claim.id())
                .setVolumePath(claim.target("pod").toString());
        expect(Code.INVALID_ARGUMENT, expand.build());
        expect(Code.OUT_OF_RANGE, expand.setCapacityRange(range(0, SIZE / 2)).build());
        expect(
                Code.OUT_OF_RANGE,
                expand.setCapacityRange(range(Long.MAX_VALUE, 0)).build());
        expect(Code.OUT_OF_RANGE, follow.setCapacityRange(range(2 * SIZE, 0)).build());
        expect(Code.OK, expand.setCapacityRange(range(SIZE / 2, 0)).build());
        expect(Code.OK, expand.setCapacityRange(range(2 * SIZE, 0)).build());
        expect(Code.OK, follow.setCapacityRange(range(2 * SIZE, 0)).build());
        expect(Code.OK, follow.clearCapacityRange().build());
        claim.release("pod");
    }

    @Test
    void onlyWhatIsMutableAndKnownIsModified() {
        var claim = claim("modified", EXT4);
        var modify = ControllerModifyVolumeRequest.newBuilder().setVolumeId(claim.id());
        expect(Code.INVALID_ARGUMENT, modify.build());
        expect(
                Code.INVALID_ARGUMENT,
                modify.clone().putModifiableParameters("fsType", "xfs").build());
        expect(
                Code.INVALID_ARGUMENT,
                modify.clone().putModifiableParameters("provisioning", "fat").build());
        expect(
                Code.INVALID_ARGUMENT,
                modify.clone()
                        .putModifiableParameters("readAheadKiB", "64")
                        .putModifiableParameters("colour", "blue")
                        .build());
        // Nothing of the refused call was applied.
        assertThat(claim.attach()).isEmpty();
        claim.detach();
        expect(
                Code.OK,
                modify.clone().putModifiableParameters("readAheadKiB", "64").build());
        expect(
                Code.OK,
                modify.clone().putModifiableParameters("provisioning", "thick").build());
        expect(
                Code.OK,
                modify.clone().putModifiableParameters("provisioning", "thin").build());
        assertThat(claim.attach()).containsEntry("readAheadKiB", "64");
        claim.detach();
        // A repeat of the creation is compared with what was asked for then.
        expect(Code.OK, wish("modified").build());
    }

    @Test
    void capabilitiesAreConfirmedOrObjectedTo() {
        var claim = claim("validated", EXT4);
        var ask = ValidateVolumeCapabilitiesRequest.newBuilder().setVolumeId(claim.id());
        assertThat(validate(ask.clone().addVolumeCapabilities(EXT4)).hasConfirmed())
                .isTrue();
        assertThat(validate(ask.clone().addVolumeCapabilities(in(MULTI_NODE_MULTI_WRITER))))
                .satisfies(answer -> assertThat(answer.hasConfirmed()).isFalse())
                .satisfies(answer -> assertThat(answer.getMessage()).isNotEmpty());
        assertThat(validate(ask.clone().addVolumeCapabilities(CsiClient.mounted("zfs")))
                        .hasConfirmed())
                .isFalse();
        assertThat(validate(ask.clone().addVolumeCapabilities(EXT4).putVolumeContext("fsType", "another"))
                        .hasConfirmed())
                .isFalse();
    }

    private static ValidateVolumeCapabilitiesResponse validate(ValidateVolumeCapabilitiesRequest.Builder request) {
        return driver.csi().controller().validateVolumeCapabilities(request.build());
    }
}
