package dev.stowage.conformance.rpc;

import static dev.stowage.conformance.rpc.Answer.codeOf;
import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.CreateSnapshotRequest;
import csi.v1.DeleteSnapshotRequest;
import csi.v1.GetSnapshotRequest;
import csi.v1.ListSnapshotsRequest;
import csi.v1.NodeGetInfoRequest;
import csi.v1.Snapshot;
import csi.v1.Topology;
import csi.v1.TopologyRequirement;
import csi.v1.VolumeContentSource;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.harness.Workspace;
import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SnapshotsTest {

    private static final long SIZE = 64 * Claim.MIB;

    @Test
    void aSnapshotTellsItsPlaceAndIsRefusedElsewhere() {
        try (var workspace = Workspace.create();
                var driver = RunningDriver.in(workspace).start()) {
            var csi = driver.csi();
            var here = csi.node()
                    .nodeGetInfo(NodeGetInfoRequest.getDefaultInstance())
                    .getAccessibleTopology();
            var elsewhere = here.toBuilder()
                    .putAllSegments(
                            Map.of(here.getSegmentsMap().keySet().iterator().next(), "another"))
                    .build();
            var claim = Claim.create(csi, workspace, "pvc", SIZE, CsiClient.block());

            var snapshot =
                    csi.controller().createSnapshot(wanted(claim, "here", here)).getSnapshot();
            assertThat(snapshot.getAccessibleTopologyList()).containsExactly(here);
            assertThat(snapshot.getReadyToUse()).isTrue();
            assertThat(snapshot.getSizeBytes()).isEqualTo(SIZE);
            assertThat(get(csi, snapshot)).isEqualTo(snapshot);
            assertThat(codeOf(() -> csi.controller().createSnapshot(wanted(claim, "there", elsewhere))))
                    .isEqualTo(Code.RESOURCE_EXHAUSTED);
            Scene.clear(csi);
        }
    }

    private static CreateSnapshotRequest wanted(Claim claim, String name, Topology place) {
        return CreateSnapshotRequest.newBuilder()
                .setName(name)
                .setSourceVolumeId(claim.id())
                .setAccessibilityRequirements(
                        TopologyRequirement.newBuilder().addRequisite(place).addPreferred(place))
                .build();
    }

    private static Snapshot get(CsiClient csi, Snapshot snapshot) {
        return csi.controller()
                .getSnapshot(GetSnapshotRequest.newBuilder()
                        .setSnapshotId(snapshot.getSnapshotId())
                        .build())
                .getSnapshot();
    }

    @Test
    void aSnapshotOutlivesItsVolumeAndAVolumeOutlivesItsSnapshot() throws IOException {
        try (var workspace = Workspace.create();
                var driver = RunningDriver.in(workspace).sharingBlocks("4Gi").start()) {
            var csi = driver.csi();
            var source = Claim.create(csi, workspace, "source", SIZE, CsiClient.mounted("ext4"));
            Files.writeString(source.use("pod").resolve("note"), "as it was");
            var snapshot = source.snapshot("snapshot");
            Files.writeString(source.target("pod").resolve("note"), "as it is");
            source.release("pod");
            source.delete();

            assertThat(get(csi, snapshot)).isEqualTo(snapshot);
            assertThat(csi.controller()
                            .listSnapshots(ListSnapshotsRequest.newBuilder()
                                    .setSourceVolumeId(source.id())
                                    .build())
                            .getEntriesList())
                    .extracting(entry -> entry.getSnapshot())
                    .containsExactly(snapshot);
            var restored = restore(csi, workspace, snapshot, "restored");
            csi.controller()
                    .deleteSnapshot(DeleteSnapshotRequest.newBuilder()
                            .setSnapshotId(snapshot.getSnapshotId())
                            .build());
            assertThat(restored.use("pod").resolve("note")).hasContent("as it was");
            restored.release("pod");
            Scene.clear(csi);
        }
    }

    private static Claim restore(CsiClient csi, Workspace workspace, Snapshot snapshot, String name) {
        var request = Claim.request(name, SIZE, CsiClient.mounted("ext4"), Map.of()).toBuilder()
                .setVolumeContentSource(VolumeContentSource.newBuilder()
                        .setSnapshot(VolumeContentSource.SnapshotSource.newBuilder()
                                .setSnapshotId(snapshot.getSnapshotId())))
                .build();
        var volume = csi.controller().createVolume(request).getVolume();
        assertThat(volume.getContentSource()).isEqualTo(request.getVolumeContentSource());
        return new Claim(csi, workspace, volume, request.getVolumeCapabilities(0));
    }

    @Test
    void listingsAreNarrowedBySourceAndById() {
        try (var workspace = Workspace.create();
                var driver = RunningDriver.in(workspace).start()) {
            var csi = driver.csi();
            var one = Claim.create(csi, workspace, "one", SIZE, CsiClient.block());
            var two = Claim.create(csi, workspace, "two", SIZE, CsiClient.block());
            var first = one.snapshot("first");
            var second = two.snapshot("second");
            assertThat(ids(csi, one.id(), "")).containsExactly(first.getSnapshotId());
            assertThat(ids(csi, "", second.getSnapshotId())).containsExactly(second.getSnapshotId());
            assertThat(ids(csi, one.id(), second.getSnapshotId())).isEmpty();
            assertThat(ids(csi, "", "")).containsExactlyInAnyOrder(first.getSnapshotId(), second.getSnapshotId());
            Scene.clear(csi);
        }
    }

    private static Stream<String> ids(CsiClient csi, String source, String snapshot) {
        return csi
                .controller()
                .listSnapshots(ListSnapshotsRequest.newBuilder()
                        .setSourceVolumeId(source)
                        .setSnapshotId(snapshot)
                        .build())
                .getEntriesList()
                .stream()
                .map(entry -> entry.getSnapshot().getSnapshotId());
    }
}
