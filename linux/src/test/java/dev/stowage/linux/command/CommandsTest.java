package dev.stowage.linux.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommandsTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Test
    void argumentsAreNeverReadByAShell() {
        var result =
                Commands.query(LIMIT, "printf", "%s", "$(id); `id` > /dev/null").orThrow();
        assertThat(result.stdout()).isEqualTo("$(id); `id` > /dev/null");
    }

    @Test
    void aFailureNamesCommandCodeAndReason() {
        assertThatThrownBy(() -> Commands.run(LIMIT, "ls", "/no/such/place").orThrow())
                .isInstanceOf(CommandFailedException.class)
                .hasMessageContaining("ls /no/such/place")
                .hasMessageContaining("exit code 2")
                .hasMessageContaining("No such file or directory");
    }

    @Test
    void longOutputIsDrainedAndItsEndKept() {
        var result = Commands.query(LIMIT, "seq", "1", "200000").orThrow();
        assertThat(result.stdout()).hasSize(16 * 1024).endsWith("199999\n200000\n");
    }

    @Test
    void inputIsClosedAndTheEnvironmentIsSmall() {
        assertThat(Commands.query(LIMIT, "cat").orThrow().stdout()).isEmpty();
        assertThat(Commands.query(LIMIT, List.of("env")).orThrow().stdout().lines())
                .allMatch(line -> line.startsWith("PATH=") || line.equals("LC_ALL=C"));
    }

    @Test
    void aProgramThatDoesNotEndIsEndedWithItsChildren() throws Exception {
        var start = System.nanoTime();
        assertThatThrownBy(() -> Commands.run(Duration.ofMillis(500), "sh", "-c", "sleep 987654; true"))
                .isInstanceOf(CommandFailedException.class)
                .hasMessageContaining("still running after 500 ms");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
        Thread.sleep(100);
        assertThat(ProcessHandle.allProcesses()
                        .filter(process ->
                                process.info().commandLine().orElse("").contains("sleep 987654")))
                .isEmpty();
    }

    @Test
    void aMissingProgramSaysWhichPackageHasIt() {
        assertThatThrownBy(() -> Commands.run(LIMIT, "/nowhere/mkfs.btrfs"))
                .isInstanceOf(CommandFailedException.class)
                .hasMessageContaining("mkfs.btrfs")
                .hasMessageContaining("btrfs-progs");
    }
}
