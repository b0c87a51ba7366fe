package dev.stowage.conformance.citizen;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.GetPluginInfoRequest;
import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.harness.Workspace;
import dev.stowage.conformance.pool.Rig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SocketTest {

    @Test
    void aSocketThatACrashLeftIsReplaced() {
        try (var rig = Rig.with(options -> options)) {
            Path socket = RunningDriver.in(rig.workspace()).socket();
            rig.driver().kill();
            assertThat(socket).exists();
            rig.restart();
            assertThat(rig.csi()
                            .identity()
                            .getPluginInfo(GetPluginInfoRequest.getDefaultInstance())
                            .getName())
                    .isEqualTo("local.stowage.dev");
            assertThat(rig.driver().stop()).isZero();
            assertThat(socket).doesNotExist();
        }
    }

    @Test
    void aSocketThatSomebodyServesIsLeftAlone() throws Exception {
        try (var rig = Rig.with(options -> options)) {
            var second = RunningDriver.in(rig.workspace())
                    .pool(rig.workspace().root().resolve("other-pool"));
            var process = second.launch();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(1);
            assertThat(rig.driver().log()).contains(second.socket().toString()).contains("another process listens");
            assertThat(rig.csi()
                            .identity()
                            .getPluginInfo(GetPluginInfoRequest.getDefaultInstance())
                            .getName())
                    .isEqualTo("local.stowage.dev");
        }
    }

    @Test
    void aFileInTheWayOfTheSocketIsLeftAlone() throws Exception {
        try (var workspace = Workspace.create()) {
            var options = RunningDriver.in(workspace);
            Files.writeString(options.socket(), "a letter");
            var process = options.launch();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(1);
            assertThat(Files.readString(options.log()))
                    .contains(options.socket().toString(), "not a socket");
            assertThat(options.socket()).hasContent("a letter");
        }
    }
}
