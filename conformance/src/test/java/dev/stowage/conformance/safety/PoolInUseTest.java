package dev.stowage.conformance.safety;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.Workspace;
import dev.stowage.conformance.pool.Rig;
import dev.stowage.linux.mount.Mounts;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A pool that is mounted for the driver stays there as long as a volume of it is in use, also by what an earlier container left. */
class PoolInUseTest {

    private static final long SIZE = 16 * Claim.MIB;

    private final Rig rig = Rig.sharingBlocks();
    private final Path pool = rig.workspace().root().resolve("pool/pool");

    @AfterEach
    void end() {
        rig.close();
    }

    @Test
    void aDeviceOfADriverWhoseContainerIsGoneKeepsThePoolMounted() throws IOException, InterruptedException {
        var claim = rig.claim("data", SIZE, CsiClient.block());
        int before = mountOfPool();
        try (var container = ofDeadContainer(claim)) {
            rig.driver().close();
            assertThat(mountOfPool()).isEqualTo(before);
        }
        rig.restart();
        claim.through(rig.csi()).delete();
    }

    @Test
    void aPoolThatSomebodyUnmountedIsFoundAgainThoughVolumesOfItAreInUse() throws IOException, InterruptedException {
        var claim = rig.claim("data", SIZE, CsiClient.block());
        int device = Mounts.at(pool).orElseThrow().minor();
        var container = ofDeadContainer(claim);
        rig.driver().close();
        Workspace.run("umount", pool.toString());
        rig.restart();
        assertThat(Mounts.at(pool).orElseThrow().minor()).isEqualTo(device);
        assertThat(container.backingFile()).as("nobody remembers it").isEmpty();
        claim.through(rig.csi()).delete();
    }

    private int mountOfPool() {
        return Mounts.at(pool).orElseThrow().id();
    }

    private MountNamespace ofDeadContainer(Claim claim) throws IOException, InterruptedException {
        var container =
                new MountNamespace(pool.resolve("volumes"), rig.workspace().directory("elsewhere"), claim.id());
        container.end();
        return container;
    }
}
