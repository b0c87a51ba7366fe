package dev.stowage.conformance.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.harness.Workspace;
import dev.stowage.conformance.pool.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ClassPathTest {

    @Test
    void onlyAnAttacherHasTheKubernetesClientOnItsClassPath() throws IOException {
        try (var workspace = Workspace.create();
                var driver = RunningDriver.in(workspace).start();
                var liveness = RunningSidecar.start(workspace, "liveness", "liveness", "--http-endpoint=127.0.0.1:0");
                var attacher = RunningSidecar.start(
                        workspace,
                        "attacher",
                        "attacher",
                        "--csi-address=" + workspace.root().resolve("none.sock"),
                        "--http-endpoint=127.0.0.1:0")) {
            Eventually.assertThat(() -> assertThat(liveness.port()).isPositive());
            Eventually.assertThat(() -> assertThat(attacher.port()).isPositive());
            assertThat(commandLine(driver.process())).doesNotContain("lib/kube");
            assertThat(commandLine(liveness.process())).doesNotContain("lib/kube");
            assertThat(commandLine(attacher.process())).contains("lib/kube");
        }
    }

    private static String commandLine(Process process) throws IOException {
        return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
    }
}
