package dev.stowage.conformance.citizen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.harness.Workspace;
import dev.stowage.conformance.pool.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class RegistrationTest {

    @Test
    void theDriverRegistersByItselfAgainWhenItsSocketIsGoneAndEndsWhenItIsRefused() throws IOException {
        try (var workspace = Workspace.create()) {
            Path directory = workspace.directory("plugins_registry");
            var options = RunningDriver.in(workspace)
                    .with("--kubelet-registration-dir", directory.toString())
                    .with("--kubelet-csi-endpoint", "/var/lib/kubelet/plugins/stowage/csi.sock")
                    .with("--driver-name", "test.stowage.dev")
                    .with("--http", "127.0.0.1:0");
            Path socket = directory.resolve("test.stowage.dev-reg.sock");
            try (var driver = options.start()) {
                var http = Http.of(driver);
                Eventually.assertThat(() -> assertThat(socket).exists());
                assertThat(http.get("/readyz").statusCode()).isEqualTo(503);
                assertThat(http.get("/readyz").body()).contains("not registered");
                assertThat(http.get("/healthz").statusCode()).isEqualTo(200);
                register(socket);
                Eventually.assertThat(
                        () -> assertThat(http.get("/readyz").statusCode()).isEqualTo(200));

                Files.delete(socket);
                Eventually.assertThat(() -> assertThat(socket).exists());
                Eventually.assertThat(
                        () -> assertThat(http.get("/readyz").statusCode()).isEqualTo(503));
                register(socket);
                Eventually.assertThat(
                        () -> assertThat(http.get("/readyz").statusCode()).isEqualTo(200));

                try (var kubelet = FakeKubelet.connect(socket)) {
                    kubelet.tell(false, "no such version of a driver");
                }
                driver.await();
                assertThat(driver.process().exitValue()).isEqualTo(4);
                assertThat(driver.log()).contains("refused to register test.stowage.dev: no such version of a driver");
                assertThat(directory).isEmptyDirectory();
                assertThat(options.socket()).doesNotExist();
            }
        }
    }

    private static void register(Path socket) {
        try (var kubelet = FakeKubelet.connect(socket)) {
            var info = kubelet.info();
            assertThat(info.getType()).isEqualTo("CSIPlugin");
            assertThat(info.getName()).isEqualTo("test.stowage.dev");
            assertThat(info.getEndpoint()).isEqualTo("/var/lib/kubelet/plugins/stowage/csi.sock");
            assertThat(info.getSupportedVersionsList()).containsExactly("1.0.0");
            kubelet.tell(true, "");
        }
    }
}
