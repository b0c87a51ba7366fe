package dev.stowage.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.harness.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LifeOfAVolumeTest {

    @ParameterizedTest
    @ValueSource(strings = {"ext4", "xfs", "btrfs"})
    void whatAPodWritesIsThereForTheNextPodAndAfterARestart(String filesystem) throws IOException {
        try (var workspace = Workspace.create()) {
            Claim claim;
            try (var driver = RunningDriver.in(workspace).start()) {
                claim = Claim.create(driver.csi(), workspace, "pvc-1", Claim.GIB, CsiClient.mounted(filesystem));
                Files.writeString(claim.use("pod-1").resolve("note"), "hello");
                claim.release("pod-1");
            }
            try (var driver = RunningDriver.in(workspace).start()) {
                claim = claim.through(driver.csi());
                assertThat(claim.use("pod-2").resolve("note")).hasContent("hello");
                claim.release("pod-2");
                claim.delete();
                assertThat(workspace.root().resolve("pool/volumes")).isEmptyDirectory();
            }
        }
    }
}
