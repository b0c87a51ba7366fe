package dev.stowage.conformance.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The driver is killed at every point between two side effects of every call that has any. */
class KillAnywhereTest {

    /** Each has a pool and a driver of its own. */
    private static final int AT_ONCE = Integer.getInteger("stowage.crash.parallel", 2);

    /** Only these, for looking into some: an expression for a part of the scenario's name. */
    private static final String ONLY = System.getProperty("stowage.crash.only", "");

    private static final ExecutorService workers = Executors.newFixedThreadPool(AT_ONCE);

    private final Map<Scenario, Future<Kills.Report>> running = new LinkedHashMap<>();

    @AfterAll
    static void stopWorkers() {
        workers.shutdownNow();
    }

    @TestFactory
    Stream<DynamicTest> aKillAnywhereChangesNothingAndLeavesNothing() {
        Scenarios.all().stream()
                .filter(scenario ->
                        Pattern.compile(ONLY).matcher(scenario.toString()).find())
                .forEach(scenario -> running.put(scenario, workers.submit(() -> Kills.of(scenario))));
        var tests = new ArrayList<DynamicTest>();
        running.forEach(
                (scenario, report) -> tests.add(DynamicTest.dynamicTest(scenario.toString(), () -> done(report))));
        if (ONLY.isEmpty()) {
            tests.add(DynamicTest.dynamicTest("every call that changes something was killed", this::checkCoverage));
        }
        tests.add(DynamicTest.dynamicTest("the points, counted", this::printPoints));
        return tests.stream();
    }

    private static Kills.Report done(Future<Kills.Report> report) throws Throwable {
        try {
            return report.get();
        } catch (ExecutionException failure) {
            throw failure.getCause() == null ? failure : failure.getCause();
        }
    }

    private void checkCoverage() {
        var killed = new TreeSet<String>();
        for (var report : running.values()) {
            if (report.state() == Future.State.SUCCESS
                    && !report.resultNow().effects().isEmpty()) {
                killed.add(report.resultNow().scenario().rpc());
            }
        }
        assertThat(killed).isEqualTo(Scenarios.mutatingCalls());
    }

    private void printPoints() {
        var table = new StringBuilder();
        int points = 0;
        int recoveries = 0;
        var time = Duration.ZERO;
        for (var future : running.values()) {
            if (future.state() != Future.State.SUCCESS) {
                continue;
            }
            var report = future.resultNow();
            table.append(String.format(
                    "%-26s %-55s %7d %6d %9d %6.1f s  %s%n",
                    report.scenario().rpc(),
                    report.scenario().situation(),
                    report.effects().size(),
                    report.points(),
                    report.recoveryPoints(),
                    report.time().toMillis() / 1000.0,
                    String.join(" ", report.effects())));
            points += report.points();
            recoveries += report.recoveryPoints();
            time = time.plus(report.time());
        }
        System.out.printf(
                "%n%-26s %-55s %7s %6s %9s %8s%n%s%n%d kills during calls, %d points of recovery (each twice); %d at once, %d s of work;"
                        + " no point was left out%n",
                "call",
                "situation",
                "effects",
                "kills",
                "recovery",
                "time",
                table,
                points,
                recoveries,
                AT_ONCE,
                time.toSeconds());
    }
}
