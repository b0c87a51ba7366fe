package dev.stowage.conformance.pool;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.CapacityRange;
import csi.v1.ControllerExpandVolumeRequest;
import csi.v1.DeleteSnapshotRequest;
import csi.v1.GetCapacityRequest;
import csi.v1.GetCapacityResponse;
import csi.v1.ListSnapshotsRequest;
import csi.v1.ListVolumesRequest;
import csi.v1.Topology;
import csi.v1.TopologyRequirement;
import csi.v1.VolumeCapability.AccessMode.Mode;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.RunningDriver;
import io.grpc.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What was promised and what is there are both counted. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CapacityTest {

    private static final Map<String, String> THICK = Map.of("provisioning", "thick");
    private static final String PLACE = "local.stowage.dev/node";

    private final Rig rig =
            Rig.with(options -> options.sharingBlocks("1Gi").overcommit("2").with("--pool-reserve", "100Mi"));
    private final long allThin = thin();
    private final long allThick = thick();

    @AfterAll
    void end() {
        rig.close();
    }

    @AfterEach
    void everythingIsGivenBack() {
        assertThat(rig.csi()
                        .controller()
                        .listVolumes(ListVolumesRequest.getDefaultInstance())
                        .getEntriesList())
                .isEmpty();
        assertThat(thin()).isEqualTo(allThin);
        // xfs frees the blocks of a deleted file in the background, and its own metadata comes and goes.
        Eventually.assertThat(() -> assertThat(thick()).isCloseTo(allThick, Offset.offset(4 * Claim.MIB)));
    }

    private GetCapacityResponse capacity(GetCapacityRequest.Builder request) {
        return rig.csi().controller().getCapacity(request.build());
    }

    private long thin() {
        return capacity(GetCapacityRequest.newBuilder()).getAvailableCapacity();
    }

    private long thick() {
        return capacity(GetCapacityRequest.newBuilder().putAllParameters(THICK)).getAvailableCapacity();
    }

    @Test
    void theAnswerDependsOnParametersPlaceAndModes() {
        assertThat(allThin).as("twice the pool may be promised").isBetween(1800 * Claim.MIB, 2048 * Claim.MIB);
        assertThat(allThick).as("what is there, less the reserve").isBetween(750 * Claim.MIB, 924 * Claim.MIB);
        assertThat(capacity(GetCapacityRequest.newBuilder()
                                .setAccessibleTopology(Topology.newBuilder().putSegments(PLACE, RunningDriver.NODE)))
                        .getAvailableCapacity())
                .isEqualTo(allThin);
        assertThat(capacity(GetCapacityRequest.newBuilder()
                                .setAccessibleTopology(Topology.newBuilder().putSegments(PLACE, "elsewhere")))
                        .getAvailableCapacity())
                .isZero();
        var severalNodes = CsiClient.mounted("xfs").toBuilder()
                .setAccessMode(CsiClient.mode(Mode.MULTI_NODE_MULTI_WRITER))
                .build();
        assertThat(capacity(GetCapacityRequest.newBuilder().addVolumeCapabilities(severalNodes))
                        .getAvailableCapacity())
                .isZero();
        var xfs = capacity(GetCapacityRequest.newBuilder().addVolumeCapabilities(CsiClient.mounted("xfs")));
        assertThat(xfs.getMinimumVolumeSize().getValue()).isEqualTo(300 * Claim.MIB);
        assertThat(xfs.getMaximumVolumeSize().getValue()).isEqualTo(allThin);
    }

    @Test
    void aVolumeIsMadeWhereItIsWantedAndNowhereElse() {
        var request = Claim.request("placed", 32 * Claim.MIB, CsiClient.mounted("ext4"), Map.of()).toBuilder();
        Refused.with(
                        Status.Code.RESOURCE_EXHAUSTED,
                        () -> rig.csi()
                                .controller()
                                .createVolume(request.clone()
                                        .setAccessibilityRequirements(TopologyRequirement.newBuilder()
                                                .addRequisite(
                                                        Topology.newBuilder().putSegments(PLACE, "elsewhere")))
                                        .build()))
                .contains("place");
        var volume = rig.csi()
                .controller()
                .createVolume(request.setAccessibilityRequirements(TopologyRequirement.newBuilder()
                                .addRequisite(Topology.newBuilder().putSegments(PLACE, RunningDriver.NODE)))
                        .build())
                .getVolume();
        assertThat(volume.getAccessibleTopologyList())
                .containsExactly(Topology.newBuilder()
                        .putSegments(PLACE, RunningDriver.NODE)
                        .build());
        new Claim(rig.csi(), rig.workspace(), volume, CsiClient.mounted("ext4")).delete();
    }

    @Test
    void promisesEndAtTheOvercommitLimitAndAreCountedAgainAfterARestart() {
        var first = rig.claim("first", Claim.GIB, CsiClient.block());
        assertThat(thin()).isEqualTo(allThin - Claim.GIB);
        Refused.with(
                        Status.Code.RESOURCE_EXHAUSTED,
                        () -> rig.claim("too-much", allThin - Claim.GIB + Claim.MIB, CsiClient.block()))
                .contains("promised");
        var second = rig.claim("second", 256 * Claim.MIB, CsiClient.block());
        var snapshot = second.snapshot("snap");
        assertThat(thin()).as("a snapshot is a promise as well").isEqualTo(allThin - 1536 * Claim.MIB);
        rig.restart();
        assertThat(thin()).isEqualTo(allThin - 1536 * Claim.MIB);
        assertThat(rig.csi()
                        .controller()
                        .listSnapshots(ListSnapshotsRequest.getDefaultInstance())
                        .getEntriesList())
                .hasSize(1);
        delete(snapshot.getSnapshotId());
        second.through(rig.csi()).delete();
        first.through(rig.csi()).delete();
    }

    private void delete(String snapshot) {
        rig.csi()
                .controller()
                .deleteSnapshot(DeleteSnapshotRequest.newBuilder()
                        .setSnapshotId(snapshot)
                        .build());
    }

    @Test
    void aThickVolumeNeedsTheRoomAtOnce() {
        var claim = rig.claim("thick", 500 * Claim.MIB, CsiClient.block(), THICK);
        assertThat(thick()).isLessThanOrEqualTo(allThick - 500 * Claim.MIB + 4 * Claim.MIB);
        Refused.with(
                        Status.Code.RESOURCE_EXHAUSTED,
                        () -> rig.claim("no-room", 500 * Claim.MIB, CsiClient.block(), THICK))
                .contains("reserve");
        Refused.with(Status.Code.RESOURCE_EXHAUSTED, () -> grow(claim, 1000 * Claim.MIB))
                .contains("reserve");
        assertThat(file(claim)).hasSize(500 * Claim.MIB);
        claim.delete();
    }

    @Test
    void aFullPoolRefusesWhatIsNewWhileWhatExistsCanStillBeWrittenTo() throws IOException {
        var claim = rig.claim("grows", Claim.GIB, CsiClient.block());
        var thickOne = rig.claim("thick", 64 * Claim.MIB, CsiClient.block(), THICK);
        Path device = claim.use("pod");
        try (var channel = FileChannel.open(device, StandardOpenOption.WRITE)) {
            long at = 0;
            while (thin() > 0) {
                at = write(channel, at, 8 * Claim.MIB);
            }
            assertThat(thick()).isZero();
            Refused.with(Status.Code.RESOURCE_EXHAUSTED, () -> rig.claim("new", 32 * Claim.MIB, CsiClient.block()))
                    .contains("reserve");
            Refused.with(Status.Code.RESOURCE_EXHAUSTED, () -> thickOne.snapshot("new"))
                    .contains("reserve");
            Refused.with(Status.Code.RESOURCE_EXHAUSTED, () -> grow(thickOne, 128 * Claim.MIB))
                    .contains("reserve");
            assertThat(rig.workspace().root().resolve("pool/pool/snapshots")).isEmptyDirectory();
            // Half of the reserve, down to the disk: nothing that exists was hurt by what was refused.
            write(channel, at, 50 * Claim.MIB);
        }
        claim.release("pod");
        claim.delete();
        thickOne.delete();
    }

    private static long write(FileChannel channel, long from, long length) throws IOException {
        byte[] noise = new byte[(int) Claim.MIB];
        new Random(from).nextBytes(noise);
        long at = from;
        while (at < from + length) {
            at += channel.write(ByteBuffer.wrap(noise), at);
        }
        channel.force(true);
        return at;
    }

    private void grow(Claim claim, long size) {
        rig.csi()
                .controller()
                .controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                        .setVolumeId(claim.id())
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(size))
                        .build());
    }

    private Path file(Claim claim) {
        return rig.workspace().root().resolve("pool/pool/volumes").resolve(claim.id());
    }
}
