package dev.stowage.workbench.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.workbench.e2e.Spec.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuiteReportTest {
    private static final String REPORT = """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites tests="5">
              <testsuite name="Kubernetes e2e suite">
                <testcase name="[SynchronizedBeforeSuite]" status="passed" time="1"></testcase>
                <testcase name="[It] [sig-apps] something else" status="passed" time="1"></testcase>
                <testcase name="[It] External Storage [Driver: a.b.c] [Testpattern: X] one" status="passed" time="1.5"/>
                <testcase name="[It] External Storage [Driver: a.b.c] two" status="skipped" time="0.1">
                  <skipped message="skipped - Driver &#34;a.b.c&#34; cannot -- skipping"></skipped>
                </testcase>
                <testcase name="[It] External Storage [Driver: a.b.c] not chosen" status="skipped" time="0">
                  <skipped message="skipped"></skipped>
                </testcase>
                <testcase name="[It] External Storage [Driver: a.b.c] three" status="timedout" time="9">
                  <failure message="waited too long" type="timedout">everything about it</failure>
                  <system-err>much</system-err>
                </testcase>
              </testsuite>
            </testsuites>
            """;

    @TempDir
    private Path directory;

    @Test
    void specsAboutExternalStorageThatWereChosenAreRead() throws IOException {
        var file = Files.writeString(directory.resolve("report.xml"), REPORT);

        assertThat(SuiteReport.read(file))
                .containsExactly(
                        new Spec("[Testpattern: X] one", Outcome.PASSED, "", Duration.ofMillis(1500)),
                        new Spec("two", Outcome.SKIPPED, "Driver \"a.b.c\" cannot -- skipping", Duration.ofMillis(100)),
                        new Spec("three", Outcome.FAILED, "waited too long", Duration.ofSeconds(9)));
    }
}
