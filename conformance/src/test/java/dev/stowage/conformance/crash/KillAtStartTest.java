package dev.stowage.conformance.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.harness.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A pool that was being made when the driver was killed is made by the next start as if it were the first. */
class KillAtStartTest {

    private static final int KILLED = 128 + 9;

    /** How the pool is given; what it takes is made in the workspace. */
    private record Kind(String name, Function<Workspace, RunningDriver.Options> options) {}

    @Test
    void aPoolInADirectorySurvivesAKillAtEveryPointOfItsCreation() throws Exception {
        killEverywhere(new Kind("pool in a directory", RunningDriver::in));
    }

    @Test
    void aPoolImageSurvivesAKillAtEveryPointOfItsCreation() throws Exception {
        killEverywhere(
                new Kind("pool image", workspace -> RunningDriver.in(workspace).sharingBlocks("512Mi")));
    }

    @Test
    void aPoolOnADiskSurvivesAKillAtEveryPointOfItsCreation() throws Exception {
        killEverywhere(new Kind("pool on a disk", KillAtStartTest::onDisk));
    }

    private static RunningDriver.Options onDisk(Workspace workspace) {
        Path file = workspace.root().resolve("disk");
        var disk = workspace.loops().stream().findFirst().orElseGet(() -> {
            Workspace.run("truncate", "-s", "512M", file.toString());
            String device = Workspace.run("losetup", "--find", "--show", file.toString())
                    .strip();
            // Whoever had this number before may have left it read-only.
            Workspace.run("blockdev", "--setrw", device);
            return Path.of(device);
        });
        return RunningDriver.in(workspace)
                .pool(disk)
                .with("--pool-mount-dir", workspace.directory("mounts").toString());
    }

    private static void killEverywhere(Kind kind) throws Exception {
        List<String> effects;
        List<String> expected;
        try (var workspace = Workspace.create()) {
            Path log = workspace.root().resolve("effects");
            expected = startAndUse(
                    workspace, kind.options().apply(workspace).environment("STOWAGE_EFFECTS_LOG", log.toString()));
            effects = Files.readAllLines(log).stream()
                    .filter(line -> line.startsWith("start "))
                    .toList();
            detachDisk(workspace);
        }
        assertThat(effects).as("effects of a first start").isNotEmpty();
        for (int point = 0; point <= effects.size(); point++) {
            try (var workspace = Workspace.create()) {
                // Twice, so that what the second start finds is what a killed one left.
                launchAndKill(workspace, kind, point);
                launchAndKill(workspace, kind, point);
                assertThat(startAndUse(workspace, kind.options().apply(workspace)))
                        .as("the pool after a kill at effect %d of the first start", point)
                        .isEqualTo(expected);
                detachDisk(workspace);
            }
        }
        System.out.printf(
                "first start, %s: %d effects, %d points, each killed twice (%s)%n",
                kind.name(),
                effects.size(),
                effects.size() + 1,
                String.join(
                        " ", effects.stream().map(line -> line.split(" ")[1]).toList()));
    }

    private static void launchAndKill(Workspace workspace, Kind kind, int point) throws Exception {
        var options = kind.options().apply(workspace).environment("STOWAGE_CRASH_AT", "start:" + point);
        var process = options.launch();
        // The second start may have less to do than the point is away; then it is killed when it serves.
        try (var client = CsiClient.connect(options.socket())) {
            client.awaitReady(Duration.ofSeconds(60), process::isAlive);
            process.destroyForcibly();
        }
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as("how the driver ended").isEqualTo(KILLED);
    }

    /** What is there after a start, a volume's life and an orderly stop. */
    private static List<String> startAndUse(Workspace workspace, RunningDriver.Options options) throws IOException {
        try (var driver = options.start()) {
            var claim = Claim.create(driver.csi(), workspace, "pvc-1", 64 * Claim.MIB, CsiClient.mounted("ext4"));
            Files.writeString(claim.use("pod-1").resolve("note"), "hello");
            claim.release("pod-1");
            claim.delete();
            var seen = seen(workspace);
            assertThat(driver.stop()).isZero();
            assertThat(workspace.mounts()).as("mounts after an orderly stop").isEmpty();
            assertThat(driver.log()).doesNotContain("not on record", "could not be settled", "ERROR");
            return seen;
        }
    }

    private static List<String> seen(Workspace workspace) throws IOException {
        try (Stream<Path> entries = Files.walk(workspace.root(), 4)) {
            return Stream.concat(
                            entries.map(path ->
                                            workspace.root().relativize(path).toString())
                                    .filter(name -> !name.startsWith("staging")
                                            && !name.startsWith("pods")
                                            && !name.equals("effects")),
                            workspace.mounts().stream()
                                    .map(mount -> "mount " + workspace.root().relativize(mount)))
                    .map(name -> name.replaceAll("loop[0-9]+", "loop"))
                    .sorted()
                    .toList();
        }
    }

    private static void detachDisk(Workspace workspace) {
        workspace.loops().forEach(loop -> Workspace.run("losetup", "-d", loop.toString()));
    }
}
