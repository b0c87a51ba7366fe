package dev.stowage.conformance.pool;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.CapacityRange;
import csi.v1.ControllerExpandVolumeRequest;
import csi.v1.ControllerModifyVolumeRequest;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.Workspace;
import io.grpc.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Thin volumes take blocks when they are written to, thick ones have them all from the start. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProvisioningTest {

    private static final long SIZE = 64 * Claim.MIB;
    private static final Map<String, String> THICK = Map.of("provisioning", "thick");

    private final Rig rig = Rig.sharingBlocks();

    @AfterAll
    void end() {
        rig.close();
    }

    private Path file(Claim claim) {
        return rig.workspace().root().resolve("pool/pool/volumes").resolve(claim.id());
    }

    private static long blocks(Path file) {
        return 512
                * Long.parseLong(
                        Workspace.run("stat", "-c", "%b", file.toString()).strip());
    }

    private static boolean sharesBlocks(Path file) {
        return Workspace.run("filefrag", "-v", file.toString()).contains("shared");
    }

    private void grow(Claim claim, long size) {
        rig.csi()
                .controller()
                .controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                        .setVolumeId(claim.id())
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(size))
                        .build());
    }

    private Claim cloneOf(Claim source, String name, Map<String, String> parameters) {
        var volume = rig.csi()
                .controller()
                .createVolume(Claim.request(name, SIZE, CsiClient.block(), parameters).toBuilder()
                        .setVolumeContentSource(PoolKindsTest.ofVolume(source.id()))
                        .build())
                .getVolume();
        return new Claim(rig.csi(), rig.workspace(), volume, CsiClient.block());
    }

    @Test
    void aThinVolumeTakesNoBlocksAlsoWhenItGrows() {
        var claim = rig.claim("thin", SIZE, CsiClient.block());
        assertThat(blocks(file(claim))).isZero();
        grow(claim, 2 * SIZE);
        assertThat(file(claim)).hasSize(2 * SIZE);
        assertThat(blocks(file(claim))).isZero();
        claim.delete();
    }

    @Test
    void aThickVolumeHasAllItsBlocksAlsoAfterGrowth() {
        var claim = rig.claim("thick", SIZE, CsiClient.block(), THICK);
        assertThat(blocks(file(claim))).isGreaterThanOrEqualTo(SIZE);
        grow(claim, 2 * SIZE);
        assertThat(file(claim)).hasSize(2 * SIZE);
        assertThat(blocks(file(claim))).isGreaterThanOrEqualTo(2 * SIZE);
        claim.delete();
    }

    @Test
    void aThickCloneHasBlocksOfItsOwnAndAThinOneShares() throws IOException {
        var source = rig.claim("source", SIZE, CsiClient.block());
        Path device = source.use("pod");
        Files.write(device, "content".repeat(100_000).getBytes(StandardCharsets.US_ASCII));
        source.release("pod");
        var thick = cloneOf(source, "thick-clone", THICK);
        assertThat(blocks(file(thick))).isGreaterThanOrEqualTo(SIZE);
        assertThat(sharesBlocks(file(thick))).isFalse();
        var thin = cloneOf(source, "thin-clone", Map.of());
        assertThat(sharesBlocks(file(thin))).isTrue();
        assertThat(Files.mismatch(file(source), file(thick))).isEqualTo(-1);
        assertThat(Files.mismatch(file(source), file(thin))).isEqualTo(-1);

        modify(thin, "thick");
        assertThat(sharesBlocks(file(thin))).isFalse();
        assertThat(blocks(file(thin))).isGreaterThanOrEqualTo(SIZE);
        assertThat(Files.mismatch(file(source), file(thin))).isEqualTo(-1);
        modify(thin, "thin");
        assertThat(Files.mismatch(file(source), file(thin))).isEqualTo(-1);
        thin.delete();
        thick.delete();
        source.delete();
    }

    @Test
    void provisioningThatIsNeitherIsRefused() {
        Refused.with(
                        Status.Code.INVALID_ARGUMENT,
                        () -> rig.claim("odd", SIZE, CsiClient.block(), Map.of("provisioning", "plump")))
                .contains("provisioning")
                .contains("plump");
    }

    @Test
    void aSmallerSizeIsNoShrinking() {
        var claim = rig.claim("never-shrinks", 2 * SIZE, CsiClient.block());
        grow(claim, SIZE);
        assertThat(file(claim)).hasSize(2 * SIZE);
        Refused.with(
                        Status.Code.OUT_OF_RANGE,
                        () -> rig.csi()
                                .controller()
                                .controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                                        .setVolumeId(claim.id())
                                        .setCapacityRange(
                                                CapacityRange.newBuilder().setLimitBytes(SIZE))
                                        .build()))
                .contains("never shrink");
        assertThat(file(claim)).hasSize(2 * SIZE);
        claim.delete();
    }

    private void modify(Claim claim, String provisioning) {
        rig.csi()
                .controller()
                .controllerModifyVolume(ControllerModifyVolumeRequest.newBuilder()
                        .setVolumeId(claim.id())
                        .putModifiableParameters("provisioning", provisioning)
                        .build());
    }
}
