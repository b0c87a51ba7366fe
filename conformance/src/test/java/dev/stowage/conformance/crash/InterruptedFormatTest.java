package dev.stowage.conformance.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.harness.Workspace;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A program that makes a filesystem goes on when the driver that began it is killed. */
class InterruptedFormatTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @ParameterizedTest
    @CsvSource(nullValues = "", textBlock = """
            ext4,  8, -E lazy_itable_init=0
            xfs,   8, -l size=512m
            btrfs, 8,
            """)
    void aVolumeIsNotFormattedTwiceAtOnceNorMountedHalfMade(String filesystem, long gib, String options)
            throws Exception {
        try (var workspace = Workspace.create()) {
            var parameters = options == null ? Map.<String, String>of() : Map.of("mkfsOptions", options);
            Claim claim;
            long orphan;
            try (var driver = RunningDriver.in(workspace).start()) {
                claim = Claim.create(
                        driver.csi(), workspace, "pvc-1", gib * Claim.GIB, CsiClient.mounted(filesystem), parameters);
                claim.attach();
                orphan = killDuringFormat(driver, claim, "mkfs." + filesystem);
            }
            try (var driver = RunningDriver.in(workspace).start()) {
                var again = claim.through(driver.csi());
                assertThatThrownBy(again::stage)
                        .isInstanceOfSatisfying(
                                StatusRuntimeException.class,
                                refused -> assertThat(refused.getStatus().getCode())
                                        .isEqualTo(Status.Code.UNAVAILABLE))
                        .hasMessageContaining(Long.toString(orphan));
                assertThat(workspace.mounts()).isEmpty();
                assertThat(formatters(driver)).isEmpty();
                signal("CONT", orphan);
                ProcessHandle.of(orphan).ifPresent(process -> process.onExit().join());
                Path target = again.use("pod-1");
                Files.writeString(target.resolve("note"), "whole");
                again.release("pod-1");
                assertThat(again.use("pod-2").resolve("note")).hasContent("whole");
                again.release("pod-2");
                again.delete();
                assertThat(workspace.root().resolve("pool/volumes")).isEmptyDirectory();
            }
        }
    }

    /** Kills the driver while its program is at work, and holds the program so that it stays at work. */
    private static long killDuringFormat(RunningDriver driver, Claim claim, String program) throws Exception {
        var staging = CompletableFuture.runAsync(
                claim::stage, thread -> Thread.ofPlatform().daemon().start(thread));
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < deadline && !staging.isDone()) {
            var formatter = driver.process()
                    .children()
                    .filter(child -> isOf(child, program))
                    .findFirst();
            if (formatter.isPresent()) {
                long id = formatter.get().pid();
                signal("STOP", id);
                driver.kill();
                assertThat(staging).failsWithin(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                return id;
            }
        }
        throw new AssertionError(program + " was over before it was seen");
    }

    private static Optional<ProcessHandle> formatters(RunningDriver driver) {
        return driver.process()
                .descendants()
                .filter(child -> isOf(child, "mkfs"))
                .findAny();
    }

    private static boolean isOf(ProcessHandle process, String program) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "comm"))
                    .startsWith(program);
        } catch (IOException gone) {
            return false;
        }
    }

    private static void signal(String name, long process) {
        Workspace.run("kill", "-" + name, Long.toString(process));
    }
}
