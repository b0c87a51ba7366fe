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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A program that makes a filesystem goes on when the driver that began it is killed. */
class InterruptedFormatTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ATTEMPTS = 50;

    @ParameterizedTest
    @CsvSource(nullValues = "", textBlock = """
            ext4,  8, -E lazy_itable_init=0
            xfs,   8, -l size=512m
            btrfs, 8,
            """)
    void aVolumeIsNotFormattedTwiceAtOnceNorMountedHalfMade(String filesystem, long gib, String options)
            throws IOException {
        try (var workspace = Workspace.create()) {
            var parameters = options == null ? Map.<String, String>of() : Map.of("mkfsOptions", options);
            Interrupted interrupted;
            try (var driver = RunningDriver.in(workspace).start()) {
                interrupted = killDuringFormat(driver, workspace, filesystem, gib, parameters);
            }
            long orphan = interrupted.orphan();
            try (var driver = RunningDriver.in(workspace).start()) {
                var again = interrupted.claim().through(driver.csi());
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

    private record Interrupted(Claim claim, long orphan) {}

    /** Kills the driver while its program is at work, and holds the program so that it stays at work. */
    private static Interrupted killDuringFormat(
            RunningDriver driver, Workspace workspace, String filesystem, long gib, Map<String, String> parameters) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            var claim = Claim.create(
                    driver.csi(),
                    workspace,
                    "pvc-" + attempt,
                    gib * Claim.GIB,
                    CsiClient.mounted(filesystem),
                    parameters);
            claim.attach();
            var staging = CompletableFuture.runAsync(
                    claim::stage, thread -> Thread.ofPlatform().daemon().start(thread));
            var program = caughtAtWork(driver, "mkfs." + filesystem, staging);
            if (program.isPresent()) {
                driver.kill();
                assertThat(staging).failsWithin(PATIENCE);
                return new Interrupted(claim, program.get());
            }
            // It was faster than we; another one may not be.
            staging.join();
            claim.unstage();
            claim.detach();
            claim.delete();
        }
        throw new AssertionError("mkfs." + filesystem + " was never seen at work");
    }

    private static Optional<Long> caughtAtWork(RunningDriver driver, String program, CompletableFuture<Void> staging) {
        while (!staging.isDone()) {
            var caught = driver.process()
                    .children()
                    .filter(child -> isOf(child, program) && stopped(child.pid()))
                    .findFirst();
            if (caught.isPresent()) {
                return caught.map(ProcessHandle::pid);
            }
        }
        return Optional.empty();
    }

    private static boolean stopped(long process) {
        try {
            signal("STOP", process);
            // Between the signal and the stop it may have come to its end.
            return Files.readString(Path.of("/proc", Long.toString(process), "stat"))
                    .replaceFirst(".*\\) ", "")
                    .matches("(?s)[TtSRD] .*");
        } catch (IllegalStateException | IOException gone) {
            return false;
        }
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
