package dev.stowage.clustertests.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.workbench.cluster.Tools;
import dev.stowage.workbench.process.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A containerd of its own takes the image and runs it. */
class ContainerdTest {
    private final Tools tools = Tools.fromEnvironment();
    private Path directory;
    private Process containerd;

    @BeforeEach
    void start() throws Exception {
        var program = tools.program("containerd");
        directory = Files.createTempDirectory("stowage-containerd");
        var settings = Files.writeString(directory.resolve("config.toml"), """
                version = 3
                root = "%1$s/root"
                state = "%1$s/state"
                disabled_plugins = ["io.containerd.cri.v1.images", "io.containerd.cri.v1.runtime", "io.containerd.grpc.v1.cri"]
                [grpc]
                  address = "%1$s/sock"
                """.formatted(directory));
        var builder = new ProcessBuilder(program, "--config", settings.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile());
        builder.environment().merge("PATH", tools.programs().toString(), (path, more) -> more + ":" + path);
        containerd = builder.start();
        for (int i = 0; i < 600 && !ctr("version").succeeded(); i++) {
            assertThat(containerd.isAlive())
                    .as(Files.readString(directory.resolve("log")))
                    .isTrue();
            Thread.sleep(100);
        }
    }

    @AfterEach
    void stop() throws Exception {
        containerd.destroy();
        if (!containerd.waitFor(60, TimeUnit.SECONDS)) {
            containerd.destroyForcibly().waitFor();
        }
        Programs.run(ImageUnderTest.PATIENCE, "rm", "-rf", directory.toString()).orThrow();
    }

    @Test
    void theImageIsImportedUnderItsNameAndRuns() throws IOException {
        var image = ImageUnderTest.get();

        ctr("images", "import", image.built().file().toString()).orThrow();

        assertThat(ctr("images", "list").orThrow())
                .contains(ImageUnderTest.NAME, image.built().digest());
        var said = ctr(
                "run",
                "--rm",
                "--snapshotter",
                "native",
                ImageUnderTest.NAME,
                "test-" + containerd.pid(),
                "/opt/stowage/runtime/bin/java",
                "@/opt/stowage/java.args",
                "version");
        assertThat(said.exitCode()).as(said.stderr()).isZero();
        assertThat(said.stdout()).isEqualTo("stowage " + ImageUnderTest.inputs().version() + "\n");
    }

    private Programs.Result ctr(String... arguments) {
        var command = new ArrayList<>(List.of(tools.program("ctr"), "--address", directory + "/sock"));
        command.addAll(List.of(arguments));
        return Programs.run(
                ImageUnderTest.PATIENCE, command, Map.of("PATH", tools.programs() + ":" + System.getenv("PATH")), "");
    }
}
