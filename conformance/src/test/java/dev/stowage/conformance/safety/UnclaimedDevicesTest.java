package dev.stowage.conformance.safety;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.pool.Rig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A driver that starts takes back the devices of its pool that nobody uses, and touches no others, whatever their files are called. */
class UnclaimedDevicesTest {

    private static final long SIZE = 16 * Claim.MIB;

    private final Rig rig = Rig.with(UnaryOperator.identity());
    private final Path volumes = rig.workspace().root().resolve("pool/volumes");

    @AfterEach
    void end() {
        rig.close();
    }

    @Test
    void aDeviceWhoseFileIsNamedLikeOursInAnotherMountNamespaceIsLeftAlone() throws IOException, InterruptedException {
        var elsewhere = rig.workspace().directory("elsewhere");
        var name = "vol-" + "0".repeat(32);
        Files.write(elsewhere.resolve(name), new byte[(int) SIZE]);
        try (var stranger = new MountNamespace(elsewhere, volumes, name)) {
            assertThat(stranger.backingFile()).isEqualTo(volumes.resolve(name).toString());
            rig.restart();
            assertThat(stranger.backingFile()).isEqualTo(volumes.resolve(name).toString());
        }
    }

    @Test
    void aDeviceOfOursIsTakenBackThoughItsFileHasAnotherNameByNow() throws IOException, InterruptedException {
        var claim = rig.claim("forgotten", SIZE, CsiClient.block());
        var elsewhere = rig.workspace().directory("elsewhere");
        // As after the container of a driver that died: its mounts are gone, its device is there.
        var dead = new MountNamespace(volumes, elsewhere, claim.id());
        dead.end();
        assertThat(dead.backingFile()).isNotEmpty().doesNotStartWith(volumes.toString());
        rig.restart();
        assertThat(dead.backingFile()).isEmpty();
        claim.through(rig.csi()).delete();
    }
}
