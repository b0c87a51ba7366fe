package dev.stowage.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkspaceTest {

    @TempDir
    Path parent;

    @Test
    void closingTakesDownWhatAFailedDriverLeft() throws Exception {
        Path directory;
        try (var workspace = Workspace.in(parent)) {
            directory = workspace.directory();
            Path image = directory.resolve("image");
            Path mounted = Files.createDirectories(directory.resolve("mounted"));
            Path inside = mounted.resolve("bound");
            run("truncate", "--size=16M", image.toString());
            run("mkfs.ext4", "-q", image.toString());
            run("mount", "-o", "loop", image.toString(), mounted.toString());
            Files.createDirectories(inside);
            run("mount", "--bind", mounted.toString(), inside.toString());

            assertThat(workspace.leftovers())
                    .hasSize(3)
                    .contains("mount " + mounted, "mount " + inside)
                    .anySatisfy(leftover -> assertThat(leftover).startsWith("loop device /dev/loop"));
        }
        assertThat(directory).doesNotExist();
        assertThat(Files.readString(Path.of("/proc/self/mountinfo"))).doesNotContain(directory.toString());
    }

    private static void run(String... command) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }
}
