package dev.stowage.conformance.pool;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.ControllerModifyVolumeRequest;
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

/** What a VolumeAttributesClass may change while the volume lives. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MutableParametersTest {

    private final Rig rig = Rig.with(options -> options.sharingBlocks("1Gi"));

    @AfterAll
    void end() {
        rig.close();
    }

    private void modify(String volume, Map<String, String> parameters) {
        rig.csi()
                .controller()
                .controllerModifyVolume(ControllerModifyVolumeRequest.newBuilder()
                        .setVolumeId(volume)
                        .putAllModifiableParameters(parameters)
                        .build());
    }

    private void use(Claim claim) {
        var context = claim.attach();
        rig.csi()
                .node()
                .nodeStageVolume(claim.stageRequest().toBuilder()
                        .putAllPublishContext(context)
                        .build());
    }

    private String readAhead(Claim claim) throws IOException {
        Path loop = rig.workspace().loops().stream()
                .filter(device -> backing(device).endsWith(claim.id()))
                .findAny()
                .orElseThrow();
        return Files.readString(sysfs(loop).resolve("queue/read_ahead_kb")).strip();
    }

    private static Path sysfs(Path loop) {
        return Path.of("/sys/block").resolve(Path.of("/dev").relativize(loop));
    }

    private static String backing(Path loop) {
        try {
            return Files.readString(sysfs(loop).resolve("loop/backing_file")).strip();
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Test
    void readAheadFollowsAtOnceAndStaysWithTheVolume() throws IOException {
        var claim = rig.claim("tuned", 32 * Claim.MIB, CsiClient.mounted("ext4"), Map.of("readAheadKiB", "256"));
        use(claim);
        assertThat(readAhead(claim)).as("as the volume was made").isEqualTo("256");
        modify(claim.id(), Map.of("readAheadKiB", "1024"));
        assertThat(readAhead(claim)).as("at once").isEqualTo("1024");
        claim.unstage();
        claim.detach();
        rig.restart();
        claim = claim.through(rig.csi());
        use(claim);
        assertThat(readAhead(claim)).as("when it is used again").isEqualTo("1024");
        modify(claim.id(), Map.of("readAheadKiB", "1024"));
        claim.unstage();
        claim.detach();
        claim.delete();
    }

    @Test
    void whatCannotBeChangedIsRefusedAndNothingChanges() {
        var claim = rig.claim("fixed", 32 * Claim.MIB, CsiClient.mounted("ext4"));
        Refused.with(Status.Code.INVALID_ARGUMENT, () -> modify(claim.id(), Map.of("fsType", "xfs")))
                .contains("fsType");
        Refused.with(Status.Code.INVALID_ARGUMENT, () -> modify(claim.id(), Map.of("readAheadKiB", "-1")))
                .contains("readAheadKiB");
        Refused.with(Status.Code.NOT_FOUND, () -> modify("vol-gone", Map.of("readAheadKiB", "1")));
        claim.delete();
    }

    @Test
    void aVolumeForWhichThereIsNoRoomDoesNotBecomeThick() {
        var claim = rig.claim("no-room", 4 * Claim.GIB, CsiClient.block());
        Refused.with(Status.Code.RESOURCE_EXHAUSTED, () -> modify(claim.id(), Map.of("provisioning", "thick")))
                .contains("reserve");
        modify(claim.id(), Map.of("provisioning", "thin"));
        claim.delete();
    }
}
