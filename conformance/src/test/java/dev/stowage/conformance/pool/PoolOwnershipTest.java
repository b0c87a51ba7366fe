package dev.stowage.conformance.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.harness.Workspace;
import java.nio.file.Files;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PoolOwnershipTest {

    @Test
    void aDirectoryWithSomebodysFilesIsRefusedAndLeftAsItIs() throws Exception {
        try (var workspace = Workspace.create()) {
            var directory = workspace.directory("pool");
            Files.writeString(directory.resolve("letter"), "dear");
            for (var options : new RunningDriver.Options[] {
                RunningDriver.in(workspace), RunningDriver.in(workspace).sharingBlocks("1Gi")
            }) {
                assertThat(failure(options, 1)).contains(directory.toString()).contains("not empty");
            }
            try (var entries = Files.list(directory)) {
                assertThat(entries).containsExactly(directory.resolve("letter"));
            }
        }
    }

    @Test
    void aSecondDriverOnAPoolIsRefusedAndTheFirstGoesOn() throws Exception {
        try (var rig = Rig.sharingBlocks()) {
            var second = RunningDriver.in(rig.workspace())
                    .sharingBlocks("4Gi")
                    .socket(rig.workspace().root().resolve("second.sock"));
            int before = rig.driver().log().length();
            var process = second.launch();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(1);
            assertThat(rig.driver().log().substring(before))
                    .contains(rig.workspace().root().resolve("pool").toString())
                    .contains("pid " + rig.driver().process().pid());
            assertThat(second.socket()).doesNotExist();
            rig.claim("still-served", 32 * Claim.MIB, CsiClient.mounted("ext4")).delete();
        }
    }

    private static String failure(RunningDriver.Options options, int exitCode) throws Exception {
        var process = options.launch();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(exitCode);
        return Files.readString(options.log());
    }
}
