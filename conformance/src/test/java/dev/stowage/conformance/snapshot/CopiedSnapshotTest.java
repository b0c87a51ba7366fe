package dev.stowage.conformance.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.DeleteSnapshotRequest;
import csi.v1.ListSnapshotsRequest;
import csi.v1.ListVolumesRequest;
import csi.v1.VolumeContentSource;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.Workspace;
import dev.stowage.conformance.pool.Eventually;
import dev.stowage.conformance.pool.Refused;
import dev.stowage.conformance.pool.Rig;
import io.grpc.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Snapshots and clones in a pool that cannot share blocks. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CopiedSnapshotTest {

    private final Rig rig = Rig.prepared((workspace, media) -> {
        Path directory = media.filesystem("ext4", "plain", 8 * Claim.GIB);
        return options -> options.pool(directory).with("--freeze-limit", "1");
    });

    @AfterAll
    void end() {
        rig.close();
    }

    private Path file(String kind, String id) {
        return rig.workspace().root().resolve("plain").resolve(kind).resolve(id);
    }

    private static void fill(Path device, long megabytes, long apart) throws IOException {
        byte[] noise = new byte[(int) Claim.MIB];
        var random = new Random(5);
        try (var channel = FileChannel.open(device, StandardOpenOption.WRITE)) {
            for (long i = 0; i < megabytes; i++) {
                random.nextBytes(noise);
                channel.write(ByteBuffer.wrap(noise), i * apart);
            }
            channel.force(true);
        }
    }

    @Test
    void aCopyKeepsHolesAndTellsHowFarItIs() throws IOException {
        var claim = rig.claim("sparse", 512 * Claim.MIB, CsiClient.block());
        fill(claim.use("pod"), 160, 3 * Claim.MIB);
        claim.release("pod");
        var snapshot = claim.snapshot("sparse");
        Path copy = file("snapshots", snapshot.getSnapshotId());
        assertThat(Files.mismatch(file("volumes", claim.id()), copy)).isEqualTo(-1);
        assertThat(blocks(copy)).isBetween(160 * Claim.MIB, 200 * Claim.MIB);
        assertThat(rig.driver().log())
                .containsPattern(snapshot.getSnapshotId() + ": [0-9.]+ MiB of [0-9.]+ MiB copied");
        delete(snapshot.getSnapshotId());
        claim.delete();
    }

    private static long blocks(Path file) {
        return 512
                * Long.parseLong(
                        Workspace.run("stat", "-c", "%b", file.toString()).strip());
    }

    private void delete(String snapshot) {
        rig.csi()
                .controller()
                .deleteSnapshot(DeleteSnapshotRequest.newBuilder()
                        .setSnapshotId(snapshot)
                        .build());
    }

    @Test
    void aRawDeviceInUseIsNotCopiedWhileItChanges() {
        var claim = rig.claim("raw", 32 * Claim.MIB, CsiClient.block());
        claim.use("pod");
        Refused.with(Status.Code.FAILED_PRECONDITION, () -> claim.snapshot("raw"))
                .contains("raw device", claim.id());
        Refused.with(Status.Code.FAILED_PRECONDITION, () -> cloneOf(claim)).contains("raw device", claim.id());
        claim.release("pod");
        delete(claim.snapshot("raw").getSnapshotId());
        cloneOf(claim).delete();
        claim.delete();
    }

    private Claim cloneOf(Claim claim) {
        var volume = rig.csi()
                .controller()
                .createVolume(Claim.request("clone", 0, claim.capability(), Map.of()).toBuilder()
                        .setVolumeContentSource(VolumeContentSource.newBuilder()
                                .setVolume(VolumeContentSource.VolumeSource.newBuilder()
                                        .setVolumeId(claim.id())))
                        .build())
                .getVolume();
        return new Claim(rig.csi(), rig.workspace(), volume, claim.capability());
    }

    @Test
    void copyingAMountedVolumeForTooLongIsGivenUpAndItsWritersGoOn() throws IOException {
        var claim = rig.claim("mounted", 64 * Claim.MIB, CsiClient.mounted("ext4"));
        Path effects = rig.workspace().root().resolve("effects");
        rig.restart(options -> options.environment("STOWAGE_EFFECTS_LOG", effects.toString()));
        try (var ledger = new Ledgers(List.of(claim.through(rig.csi()).use("pod")))) {
            delete(claim.through(rig.csi()).snapshot("quick").getSnapshotId());
            cloneOf(claim).delete();
            int inSnapshot = EffectCount.upTo(effects, "CreateSnapshot", "copy", 1);
            int inClone = EffectCount.upTo(effects, "CreateVolume", "copy", 1);

            rig.restart(options -> options.environment("STOWAGE_STALL_AT", "CreateSnapshot:" + inSnapshot));
            Refused.with(
                            Status.Code.FAILED_PRECONDITION,
                            () -> claim.through(rig.csi()).snapshot("slow"))
                    .contains("hold up its writers");
            assertGoesOnAndNothingIsLeft(ledger);

            rig.restart(options -> options.environment("STOWAGE_STALL_AT", "CreateVolume:" + inClone));
            Refused.with(Status.Code.FAILED_PRECONDITION, () -> cloneOf(claim)).contains("hold up its writers");
            assertGoesOnAndNothingIsLeft(ledger);
        }
        rig.restart();
        claim.through(rig.csi()).release("pod");
        claim.through(rig.csi()).delete();
    }

    private void assertGoesOnAndNothingIsLeft(Ledgers ledger) {
        long now = ledger.written();
        Eventually.assertThat(() -> assertThat(ledger.written()).isGreaterThan(now + 1));
        assertThat(rig.csi()
                        .controller()
                        .listSnapshots(ListSnapshotsRequest.getDefaultInstance())
                        .getEntriesList())
                .isEmpty();
        assertThat(rig.csi()
                        .controller()
                        .listVolumes(ListVolumesRequest.getDefaultInstance())
                        .getEntriesList())
                .hasSize(1);
        assertThat(rig.workspace().root().resolve("plain/snapshots")).isEmptyDirectory();
    }
}
