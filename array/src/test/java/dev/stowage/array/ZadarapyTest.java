package dev.stowage.array;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.array.testing.ArrayUnderTest;
import dev.stowage.linux.command.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client that nobody here wrote finds what it expects of an array. */
class ZadarapyTest {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String SCRIPT = "zadarapy_client.py";

    @TempDir
    private Path scratch;

    @Test
    void everyCallFromTheLoginToTheLastDeletionIsUnderstood() throws IOException {
        var script = scratch.resolve(SCRIPT);
        try (var source = Objects.requireNonNull(ZadarapyTest.class.getResourceAsStream(SCRIPT))) {
            Files.copy(source, script);
        }
        try (var array = new ArrayUnderTest()) {
            var result = Commands.query(
                    PATIENCE,
                    python(),
                    script.toString(),
                    "127.0.0.1",
                    String.valueOf(array.apiPort()),
                    ArrayUnderTest.TOKEN,
                    "iqn.2026-01.test:zadarapy");

            assertThat(result.exitCode())
                    .as("%s%n%s", result.stdout(), result.stderr())
                    .isZero();
            assertThat(result.stdout()).contains("everything was as it should be");
            assertThat(array.files()).isEmpty();
        }
    }

    private static String python() {
        String python = System.getenv("STOWAGE_ZADARAPY_PYTHON");
        if (python == null || !Files.isExecutable(Path.of(python))) {
            throw new IllegalStateException("STOWAGE_ZADARAPY_PYTHON must name a Python that has the packages of"
                    + " tools/zadarapy/requirements.txt, and is " + python
                    + "; `./stowage test -pl array` fetches them and sets it");
        }
        return python;
    }
}
