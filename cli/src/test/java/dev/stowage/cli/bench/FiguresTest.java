package dev.stowage.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FiguresTest {

    @Test
    void aTimeHasThreeDigitsAndItsUnit() {
        assertThat(Figures.time(Duration.ofNanos(43_210))).isEqualTo("0.04 ms");
        assertThat(Figures.time(Duration.ofNanos(1_234_567))).isEqualTo("1.23 ms");
        assertThat(Figures.time(Duration.ofNanos(12_345_678))).isEqualTo("12.3 ms");
        assertThat(Figures.time(Duration.ofNanos(123_456_789))).isEqualTo("123 ms");
        assertThat(Figures.time(Duration.ofMillis(1_234))).isEqualTo("1.23 s");
    }

    @Test
    void roundingNeverAddsADigit() {
        assertThat(Figures.time(Duration.ofNanos(9_999_000))).isEqualTo("10.0 ms");
        assertThat(Figures.time(Duration.ofNanos(99_990_000))).isEqualTo("100 ms");
    }

    @Test
    void aSmallRatioIsNotZero() {
        assertThat(Figures.ratio(0.00068)).isEqualTo("0.0007");
        assertThat(Figures.ratio(0.0123)).isEqualTo("0.012");
        assertThat(Figures.ratio(0.456)).isEqualTo("0.46");
        assertThat(Figures.ratio(11.23)).isEqualTo("11.2");
    }

    @Test
    void memoryIsReadFromTheStatusOfAProcess() {
        var status = "Name:\tjava\nVmHWM:\t  70000 kB\nVmRSS:\t   62500 kB\nRssAnon:\t   31250 kB\n";

        assertThat(Memory.parse(status)).isEqualTo(new Memory(64_000_000, 32_000_000));
        assertThat(Figures.megabytes(64_000_000)).isEqualTo("64 MB");
    }

    @Test
    void jsonKeepsQuotesAndLineBreaks() {
        assertThat(Json.write(List.of(Map.of("said", "a \"word\"\n\\"), 1.5, true)))
                .isEqualTo("[{\"said\":\"a \\\"word\\\"\\u000a\\\\\"},1.5,true]");
    }

    @Test
    void aTableIsTheSameForTerminalsAndInMarkdown() {
        var table = new TextTable(1, "what", "time");
        table.row("one|two", "1 ms");

        assertThat(table.plain()).isEqualTo("what     time\n───────  ────\none|two  1 ms\n");
        assertThat(table.markdown()).isEqualTo("| what | time |\n|---|---:|\n| one\\|two | 1 ms |\n");
    }
}
