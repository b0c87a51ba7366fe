package dev.stowage.workbench.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.workbench.e2e.Spec.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExpectationsTest {
    private static final String PASSED = """
            # a comment

            volumes should store data
            """;
    private static final String SKIPPED = """
            == Driver doesn't support ntfs -- skipping
            -- it is a filesystem of Windows
            volumes (ntfs) should store data

            == nobody knows
            -- ?
            mystery
            """;

    @TempDir
    private Path directory;

    @BeforeEach
    void writeLists() throws IOException {
        Files.writeString(directory.resolve("passed.txt"), PASSED);
        Files.writeString(directory.resolve("skipped.txt"), SKIPPED);
    }

    @Test
    void aSpecThatEndsAsTheListsSayIsRight() {
        assertThat(objection("volumes should store data", Outcome.PASSED, "")).isEmpty();
        assertThat(objection(
                        "volumes (ntfs) should store data", Outcome.SKIPPED, "Driver doesn't support ntfs -- skipping"))
                .isEmpty();
    }

    @Test
    void aFailureIsNeverExpected() {
        assertThat(objection("volumes should store data", Outcome.FAILED, "timed out"))
                .isEqualTo("timed out");
    }

    @Test
    void aSkipThatIsNotInTheListIsWrong() {
        assertThat(objection("volumes should store data", Outcome.SKIPPED, "no time"))
                .contains("does not expect that")
                .contains("no time");
    }

    @Test
    void aSkipForAnotherReasonThanTheListHasIsWrong() {
        assertThat(objection("volumes (ntfs) should store data", Outcome.SKIPPED, "no time"))
                .contains("does not expect that");
    }

    @Test
    void aSkipThatNobodyExplainedIsWrong() {
        assertThat(objection("mystery", Outcome.SKIPPED, "nobody knows")).contains("does not say why");
    }

    @Test
    void aSpecThatPassesThoughItIsExpectedToBeSkippedIsWrong() {
        assertThat(objection("volumes (ntfs) should store data", Outcome.PASSED, ""))
                .contains("it passes");
    }

    @Test
    void expectedSpecsThatWereNotRunAreFound() {
        assertThat(Expectations.read(directory).missingFrom(Set.of("volumes should store data")))
                .containsExactly("mystery", "volumes (ntfs) should store data");
    }

    @Test
    void recordingKeepsExplanationsAndWhatWasNotRun() {
        Expectations.read(directory)
                .changedTo(List.of(
                        spec("volumes (ntfs) should store data", Outcome.PASSED, ""),
                        spec("another (ntfs)", Outcome.SKIPPED, "Driver doesn't support ntfs -- skipping"),
                        spec("a failure", Outcome.FAILED, "timed out"),
                        spec("new", Outcome.SKIPPED, "no time")))
                .write(directory);

        var changed = Expectations.read(directory);
        assertThat(changed.passed())
                .containsExactly("a failure", "volumes (ntfs) should store data", "volumes should store data");
        assertThat(changed.objection(
                        spec("another (ntfs)", Outcome.SKIPPED, "Driver doesn't support ntfs -- skipping")))
                .isEmpty();
        assertThat(changed.objection(spec("new", Outcome.SKIPPED, "no time"))).contains("does not say why");
        assertThat(changed.skipped()).containsKey("nobody knows");
    }

    @Test
    void aListThatDoesNotBeginWithWhatTheSuiteSaysIsRefused() throws IOException {
        Files.writeString(directory.resolve("skipped.txt"), "lost\n");
        assertThatThrownBy(() -> Expectations.read(directory)).hasMessageContaining("lost");
    }

    private String objection(String name, Outcome outcome, String message) {
        return Expectations.read(directory).objection(spec(name, outcome, message));
    }

    private static Spec spec(String name, Outcome outcome, String message) {
        return new Spec(name, outcome, message, Duration.ZERO);
    }
}
