package dev.stowage.conformance.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import csi.v1.CapacityRange;
import csi.v1.ControllerExpandVolumeRequest;
import csi.v1.ControllerGetVolumeHealthRequest;
import csi.v1.ControllerGetVolumeRequest;
import csi.v1.ControllerModifyVolumeRequest;
import csi.v1.ControllerUnpublishVolumeRequest;
import csi.v1.CreateSnapshotRequest;
import csi.v1.CreateVolumeGroupSnapshotRequest;
import csi.v1.CreateVolumeGroupSnapshotResponse;
import csi.v1.CreateVolumeResponse;
import csi.v1.DeleteSnapshotRequest;
import csi.v1.DeleteVolumeGroupSnapshotRequest;
import csi.v1.DeleteVolumeRequest;
import csi.v1.ListSnapshotsRequest;
import csi.v1.ListVolumesRequest;
import csi.v1.NodeExpandVolumeRequest;
import csi.v1.NodeGetVolumeHealthRequest;
import csi.v1.NodeUnpublishVolumeRequest;
import csi.v1.NodeUnstageVolumeRequest;
import csi.v1.Snapshot;
import csi.v1.ValidateVolumeCapabilitiesRequest;
import csi.v1.VolumeCapability;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.harness.Workspace;
import io.grpc.Status.Code;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RepeatsTest {

    /** Large enough for xfs, which can grow while it is mounted with no more than the right to mount. */
    private static final long SIZE = 320 * Claim.MIB;

    private static final long GROWN = 400 * Claim.MIB;
    private static final String POD = "pod";

    static Stream<VolumeCapability> uses() {
        return Stream.of(CsiClient.mounted("xfs"), CsiClient.block());
    }

    @ParameterizedTest
    @MethodSource("uses")
    void eachCallIsAnsweredTheSameThreeTimesAtEachStepOfAVolumesLife(VolumeCapability use) {
        try (var workspace = Workspace.create();
                var driver = RunningDriver.in(workspace).sharingBlocks("4Gi").start()) {
            var csi = driver.csi();
            var volume = ((CreateVolumeResponse) repeat(csi, Claim.request("pvc", SIZE, use, Map.of()))).getVolume();
            var claim = new Claim(csi, workspace, volume, use);
            takeDown(csi, claim);
            look(csi, claim);

            repeat(csi, claim.attachRequest());
            look(csi, claim);
            repeat(csi, claim.stageRequest());
            look(csi, claim);
            repeat(csi, claim.publishRequest(POD));
            look(csi, claim);

            grow(csi, claim);
            look(csi, claim);
            repeat(
                    csi,
                    ControllerModifyVolumeRequest.newBuilder()
                            .setVolumeId(claim.id())
                            .putModifiableParameters("readAheadKiB", "256")
                            .build());
            look(csi, claim);

            var wanted = CreateSnapshotRequest.newBuilder()
                    .setName("snapshot")
                    .setSourceVolumeId(claim.id())
                    .build();
            repeat(csi, wanted);
            look(csi, claim);

            takeDown(csi, claim);
            look(csi, claim);
            group(csi, claim);
            csi.controller()
                    .listSnapshots(ListSnapshotsRequest.getDefaultInstance())
                    .getEntriesList()
                    .forEach(entry -> repeat(
                            csi,
                            DeleteSnapshotRequest.newBuilder()
                                    .setSnapshotId(entry.getSnapshot().getSnapshotId())
                                    .build()));
            repeat(csi, DeleteVolumeRequest.newBuilder().setVolumeId(claim.id()).build());
            takeDown(csi, claim);
            look(csi, claim);
        }
    }

    private static void grow(CsiClient csi, Claim claim) {
        var range = CapacityRange.newBuilder().setRequiredBytes(GROWN);
        repeat(
                csi,
                ControllerExpandVolumeRequest.newBuilder()
                        .setVolumeId(claim.id())
                        .setCapacityRange(range)
                        .setVolumeCapability(claim.capability())
                        .build());
        repeat(
                csi,
                NodeExpandVolumeRequest.newBuilder()
                        .setVolumeId(claim.id())
                        .setVolumePath(claim.target(POD).toString())
                        .setStagingTargetPath(claim.staging().toString())
                        .setCapacityRange(range)
                        .setVolumeCapability(claim.capability())
                        .build());
    }

    private static void group(CsiClient csi, Claim claim) {
        var response = (CreateVolumeGroupSnapshotResponse) repeat(
                csi,
                CreateVolumeGroupSnapshotRequest.newBuilder()
                        .setName("group")
                        .addSourceVolumeIds(claim.id())
                        .build());
        repeat(
                csi,
                DeleteVolumeGroupSnapshotRequest.newBuilder()
                        .setGroupSnapshotId(response.getGroupSnapshot().getGroupSnapshotId())
                        .addAllSnapshotIds(response.getGroupSnapshot().getSnapshotsList().stream()
                                .map(Snapshot::getSnapshotId)
                                .toList())
                        .build());
    }

    /** Succeeds at every step, also before anything was put up and after the volume is gone. */
    private static void takeDown(CsiClient csi, Claim claim) {
        repeat(
                csi,
                NodeUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(claim.id())
                        .setTargetPath(claim.target(POD).toString())
                        .build());
        repeat(
                csi,
                NodeUnstageVolumeRequest.newBuilder()
                        .setVolumeId(claim.id())
                        .setStagingTargetPath(claim.staging().toString())
                        .build());
        repeat(
                csi,
                ControllerUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(claim.id())
                        .setNodeId(RunningDriver.NODE)
                        .build());
    }

    private static Message repeat(CsiClient csi, Message request) {
        var answer = same(csi, request);
        assertThat(answer.code()).as("%s: %s", Rpc.taking(request), answer).isEqualTo(Code.OK);
        return answer.messages().getFirst();
    }

    /** The calls that only look may fail at some steps, but not once so and once otherwise. */
    private static void look(CsiClient csi, Claim claim) {
        List.of(
                        ControllerGetVolumeRequest.newBuilder()
                                .setVolumeId(claim.id())
                                .build(),
                        ControllerGetVolumeHealthRequest.newBuilder()
                                .setVolumeId(claim.id())
                                .build(),
                        ListVolumesRequest.getDefaultInstance(),
                        ListSnapshotsRequest.getDefaultInstance(),
                        ValidateVolumeCapabilitiesRequest.newBuilder()
                                .setVolumeId(claim.id())
                                .addVolumeCapabilities(claim.capability())
                                .build(),
                        NodeGetVolumeHealthRequest.newBuilder()
                                .setVolumeId(claim.id())
                                .build())
                .forEach(request -> {
                    var answer = same(csi, request);
                    assertThat(answer.code())
                            .as("%s: %s", Rpc.taking(request), answer)
                            .isIn(Code.OK, Code.NOT_FOUND);
                });
    }

    private static Answer same(CsiClient csi, Message request) {
        var first = Rpc.call(csi, request);
        for (int i = 0; i < 2; i++) {
            assertThat(Rpc.call(csi, request))
                    .as("%s, repeated", Rpc.taking(request))
                    .isEqualTo(first);
        }
        return first;
    }
}
