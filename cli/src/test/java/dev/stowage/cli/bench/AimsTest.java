package dev.stowage.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AimsTest {

    @Test
    void onlyEightCallersWithAThousandVolumesCountForTheComparison() {
        var results = new Results();
        results.add(new Row("create", 1_000, 8, took(5), took(10)));
        results.add(new Row("create", 1_000, 1, took(30), took(10)));
        results.add(new Row("create", 0, 8, took(30), took(10)));
        results.add(new Row("clone", 1_000, 8, took(20), took(10)));
        results.add(new Row("first stage", 1_000, 8, took(20), took(10)));

        assertThat(Aims.judge(results, Set.of("first stage")))
                .extracting(Verdict::operation, Verdict::finding, Verdict::figure)
                .containsExactly(
                        tuple("create", Verdict.Finding.MET, "0.50 of its time"),
                        tuple("clone", Verdict.Finding.MISSED, "2.00 of its time; 2.00 times the limit"));
    }

    @Test
    void whatCouldNotBeMeasuredIsNeitherMetNorMissed() {
        var results = new Results();
        results.add(new Row("create", 1_000, 8, took(5), new Outcome.NotRun("too slow")));

        assertThat(Aims.judge(results, Set.of()))
                .extracting(Verdict::finding)
                .containsExactly(Verdict.Finding.NOT_MEASURED);
    }

    @Test
    void memoryStartsAndScalingHaveTheirLimits() {
        var results = new Results();
        results.add(new Scaling("ours", "create", 8, 10_000, 100, took(13), took(10)));
        results.add(new Scaling("reference", "create", 8, 10_000, 100, took(90), took(10)));
        results.add(new Results.Footprint(Aims.NODE_ROLE, "idle", new Memory(64_000_000, 1)));
        results.add(new Results.Starts(0, took(301), took(10)));

        assertThat(Aims.judge(results, Set.of()))
                .extracting(Verdict::operation, Verdict::finding)
                .containsExactly(
                        tuple("create", Verdict.Finding.MISSED),
                        tuple("idle", Verdict.Finding.MET),
                        tuple("with 0 volumes on record", Verdict.Finding.MISSED));
    }

    @Test
    void failuresOfEitherDriverAreCounted() {
        var results = new Results();
        var failing = new Outcome.Measured(Statistics.of(List.of(Duration.ofMillis(1))), Map.of("INTERNAL: no", 2));
        results.add(new Row("create", 0, 1, took(1), failing));
        results.add(new Row("create", 0, 8, took(1), failing));

        assertThat(results.errors()).containsExactly(Map.entry("reference, create: INTERNAL: no", 4));
    }

    private static Outcome took(int milliseconds) {
        return new Outcome.Measured(Statistics.of(List.of(Duration.ofMillis(milliseconds))), Map.of());
    }
}
