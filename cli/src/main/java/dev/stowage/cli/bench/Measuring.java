package dev.stowage.cli.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures one operation on several drivers by turns, so that whatever else the machine does hits them alike. */
final class Measuring {

    /** Rounds that take longer are not thrown away: warming up is no matter for them. */
    private static final Duration SLOW = Duration.ofMillis(500);

    private static final int TURNS = 6;
    private static final int ENOUGH = 3;

    private final Plan plan;
    private final Workspace workspace;
    private final Progress progress;
    private final Lanes lanes;
    private final Map<String, Duration> perCaller = new HashMap<>();

    Measuring(Plan plan, Workspace workspace, Progress progress, Lanes lanes) {
        this.plan = plan;
        this.workspace = workspace;
        this.progress = progress;
        this.lanes = lanes;
    }

    /** One driver's part in a measurement. */
    private final class Turn {

        private final DriverUnderTest driver;
        private final Workload workload;
        private final List<Lane> own;
        private final Samples samples = new Samples();
        private Duration spent = Duration.ZERO;
        private int times = 1;

        Turn(DriverUnderTest driver, Workload workload, List<Lane> own) {
            this.driver = driver;
            this.workload = workload;
            this.own = own;
        }

        /** Finds out how long a round takes; fast ones are warm afterwards. */
        void first() throws IOException, InterruptedException {
            var warm = new Samples();
            var took = round(warm, 1);
            if (took.compareTo(SLOW) > 0) {
                samples.addAll(warm);
                spent = took;
            } else {
                warm.failuresTo(samples);
                times = (int) Math.clamp(plan.cell().toNanos() / TURNS / Math.max(1, took.toNanos()), 1, 1000);
            }
            perCaller.put(key(driver, workload), took.dividedBy(own.size()));
        }

        boolean wants() {
            return spent.compareTo(plan.cell()) < 0
                    || samples.count() < ENOUGH
                            && spent.compareTo(plan.patience().dividedBy(2)) < 0;
        }

        void next() throws IOException, InterruptedException {
            spent = spent.plus(round(samples, times));
        }

        private Duration round(Samples into, int rounds) throws IOException, InterruptedException {
            if (workload.copiesData()) {
                workspace.settle();
            }
            var took = Callers.run(own, rounds, into);
            driver.requireAlive();
            return took;
        }
    }

    /** What each driver took, in the order they are given. */
    Map<DriverUnderTest, Outcome> measure(Workload workload, int callers, List<? extends DriverUnderTest> drivers)
            throws IOException, InterruptedException {
        var outcomes = new LinkedHashMap<DriverUnderTest, Outcome>();
        var turns = new ArrayList<Turn>();
        for (var driver : drivers) {
            var expected =
                    perCaller.getOrDefault(key(driver, workload), Duration.ZERO).multipliedBy(callers);
            // What the aims speak of is measured however long it takes.
            if (callers > plan.usualCallers() && expected.compareTo(plan.patience()) > 0) {
                outcomes.put(driver, new Outcome.NotRun("about " + Figures.time(expected) + " a round"));
                continue;
            }
            progress.moved("preparing " + describe(workload, callers) + " on " + driver);
            try {
                turns.add(new Turn(driver, workload, lanes.of(driver, workload, callers)));
            } catch (InterruptedException interrupted) {
                throw interrupted;
            } catch (Exception failure) {
                driver.requireAlive();
                outcomes.put(driver, new Outcome.NotRun("not prepared", Map.of(Callers.reason(failure), 1)));
            }
        }
        workspace.settle();
        progress.step("measuring " + describe(workload, callers));
        for (var turn : turns) {
            turn.first();
        }
        while (turns.stream().anyMatch(Turn::wants)) {
            for (var turn : turns) {
                if (turn.wants()) {
                    turn.next();
                }
            }
        }
        turns.forEach(turn -> outcomes.put(turn.driver, turn.samples.outcome()));
        return outcomes;
    }

    /** One round that counts for nothing; a failure will show again when it counts. */
    void warmUp(Workload workload, int callers, List<? extends DriverUnderTest> drivers)
            throws IOException, InterruptedException {
        progress.moved("warming up: " + describe(workload, callers));
        for (var driver : drivers) {
            try {
                Callers.run(lanes.of(driver, workload, callers), 1, new Samples());
            } catch (InterruptedException interrupted) {
                throw interrupted;
            } catch (Exception failure) {
                driver.requireAlive();
            }
        }
    }

    private static String key(DriverUnderTest driver, Workload workload) {
        return driver.label() + " " + workload.title();
    }

    private static String describe(Workload workload, int callers) {
        return workload.title() + ", " + callers + (callers == 1 ? " caller" : " callers");
    }
}
