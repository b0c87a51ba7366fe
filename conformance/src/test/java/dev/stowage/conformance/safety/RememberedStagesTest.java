package dev.stowage.conformance.safety;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.Workspace;
import dev.stowage.conformance.pool.Refused;
import dev.stowage.conformance.pool.Rig;
import io.grpc.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rule 5: a node remembers what it staged, and believes it only as far as the kernel agrees. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RememberedStagesTest {

    private static final long SIZE = 128 * Claim.MIB;

    private final Rig rig = Rig.with(options -> options.sharingBlocks("1Gi"));

    @AfterAll
    void end() {
        rig.close();
    }

    private List<Path> loops(Claim claim) {
        return rig.workspace().loops().stream()
                .filter(loop -> Workspace.run(
                                "losetup", "--list", "--noheadings", "--output", "BACK-FILE", loop.toString())
                        .contains(claim.id()))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void afterARebootAVolumeIsStagedAgain(boolean restartBefore) throws IOException {
        var claim = rig.claim("reboot-" + restartBefore, SIZE, CsiClient.mounted("ext4"));
        Files.writeString(claim.use("pod").resolve("note"), "kept");
        reboot(claim);
        if (restartBefore) {
            rig.restart();
        }
        claim = claim.through(rig.csi());
        claim.stage();
        assertThat(claim.publish("pod").resolve("note")).hasContent("kept");
        claim.release("pod");
        claim.delete();
    }

    @Test
    void afterARebootARawVolumeIsStagedAgain() throws IOException {
        var claim = rig.claim("raw-reboot", SIZE, CsiClient.block());
        Files.writeString(claim.use("pod"), "kept");
        Workspace.run("sync", claim.target("pod").toString());
        reboot(claim);
        rig.restart();
        claim = claim.through(rig.csi());
        claim.stage();
        try (var in = Files.newInputStream(claim.publish("pod"))) {
            assertThat(in.readNBytes(4)).isEqualTo("kept".getBytes(StandardCharsets.US_ASCII));
        }
        claim.release("pod");
        claim.delete();
    }

    /** What a reboot does to a volume: its mounts and its device are gone, the records stay. */
    private void reboot(Claim claim) {
        Workspace.run("umount", claim.target("pod").toString());
        if (claim.capability().hasMount()) {
            Workspace.run("umount", claim.staging().toString());
        }
        loops(claim).forEach(loop -> Workspace.run("losetup", "--detach", loop.toString()));
        assertThat(loops(claim)).isEmpty();
    }

    @Test
    void unstagingAfterARebootSucceeds() {
        var claim = rig.claim("unstage-after-reboot", SIZE, CsiClient.mounted("ext4"));
        claim.use("pod");
        reboot(claim);
        claim.release("pod");
        claim.delete();
    }

    @Test
    void somebodyElsesMountAtTheStagingPathIsNotUsedAndNotUnmounted() throws IOException {
        var claim = rig.claim("taken", SIZE, CsiClient.mounted("ext4"));
        Path staging = claim.staging();
        Workspace.run("mount", "-t", "tmpfs", "tmpfs", staging.toString());
        Files.writeString(staging.resolve("letter"), "dear");
        claim.attach();
        Refused.with(Status.Code.FAILED_PRECONDITION, claim::stage).contains(staging.toString(), "tmpfs");
        assertThat(loops(claim)).isEmpty();
        // Nothing of ours is there, so there is nothing to do, and above all nothing to unmount.
        claim.unstage();
        assertThat(staging.resolve("letter")).hasContent("dear");
        Workspace.run("umount", staging.toString());
        claim.stage();
        claim.unstage();
        claim.detach();
        claim.delete();
    }

    @Test
    void aLoopDeviceThatCameToBeSomethingElseIsNotTouched() throws IOException {
        var claim = rig.claim("reused", SIZE, CsiClient.mounted("ext4"));
        Path other = rig.media().file("somebody-elses.img", SIZE);
        Workspace.run("mkfs.ext4", "-q", "-F", other.toString());
        String number = takeOver(claim, other);
        Path theirs = rig.workspace().directory("theirs");
        try {
            Workspace.run("mount", number, theirs.toString());
            Files.writeString(theirs.resolve("letter"), "dear");
            claim.release("pod");
            assertThat(theirs.resolve("letter")).hasContent("dear");
            assertThat(Workspace.run("losetup", "--list", "--noheadings", "--output", "BACK-FILE", number))
                    .contains("somebody-elses.img");

            // The volume comes back as another device, with what it held.
            claim.use("pod");
            assertThat(loops(claim)).hasSize(1).doesNotContain(Path.of(number));
            claim.release("pod");
            assertThat(theirs.resolve("letter")).hasContent("dear");
        } finally {
            Workspace.run("umount", theirs.toString());
            Workspace.run("losetup", "--detach", number);
        }
        claim.delete();
    }

    /** Makes another file take the number of the volume's device, which somebody else on this machine may try as well. */
    private String takeOver(Claim claim, Path other) {
        for (int attempt = 0; attempt < 20; attempt++) {
            claim.use("pod");
            String number = loops(claim).getFirst().toString();
            reboot(claim);
            try {
                Workspace.run("losetup", number, other.toString());
                return number;
            } catch (IllegalStateException takenByOthers) {
                claim.release("pod");
            }
        }
        throw new IllegalStateException("the number was always taken by others");
    }
}
