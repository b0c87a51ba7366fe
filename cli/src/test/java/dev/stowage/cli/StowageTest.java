package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.ExitCode;

class StowageTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void versionIsOneLineThatNamesTheProgram() {
        assertThat(run("version")).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).startsWith("stowage ").hasLineCount(1);
    }

    @Test
    void anUnknownCommandIsWrongUsageAndIsNamed() {
        assertThat(run("stow")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("stow");
    }

    @ParameterizedTest
    @ValueSource(strings = {"try", "driver", "sidecar", "array", "initiator", "bench", "version"})
    void everyCommandExplainsItself(String command) {
        assertThat(run("--help")).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).containsPattern("(?m)^ +" + command + " ");
        assertThat(run(command, "--help")).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).containsPattern("Usage: stowage " + command);
    }

    private int run(String... arguments) {
        return Stowage.commandLine(arguments)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }
}
