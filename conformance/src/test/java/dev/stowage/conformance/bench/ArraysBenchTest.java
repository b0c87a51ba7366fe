package dev.stowage.conformance.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.harness.Spawning;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArraysBenchTest {

    @TempDir
    private Path parent;

    @Test
    void allFiguresAreMeasuredAndNothingIsLeft() throws IOException, InterruptedException {
        Path work = Files.createDirectory(parent.resolve("work"));
        Path output = parent.resolve("output");
        var builder = new ProcessBuilder(
                        Path.of(System.getenv("STOWAGE_HOME"), "stowage").toString(),
                        "bench",
                        "arrays",
                        "--quick",
                        "--arrays=2",
                        "--volumes=12",
                        "--nodes=3",
                        "--callers=2",
                        "--attachers=2",
                        "--turn=1",
                        "--interval=1",
                        "--directory=" + work)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("STOWAGE_NO_BUILD", "1");
        var bench = Spawning.start(builder);
        try {
            assertThat(bench.waitFor(300, TimeUnit.SECONDS)).isTrue();
        } finally {
            bench.destroy();
        }

        String report = Files.readString(output);
        assertThat(report)
                .contains(
                        "made per second, over all arrays",
                        "GET /volumes/* 1.00, POST /volumes 1.00",
                        "ControllerPublishVolume",
                        "memory of the controller",
                        "with 6 volumes in all",
                        "with 12 volumes in all",
                        "a sick array adds nothing measurable");
        assertThat(bench.exitValue()).as(report).isZero();
        assertThat(work).isEmptyDirectory();
        assertThat(Files.readString(Path.of("/proc/self/mountinfo"))).doesNotContain(work.toString());
        assertThat(commandLines()).noneMatch(line -> line.contains(work.toString()));
    }

    private static List<String> commandLines() {
        return ProcessHandle.allProcesses()
                .flatMap(process -> process.info().commandLine().stream())
                .toList();
    }
}
