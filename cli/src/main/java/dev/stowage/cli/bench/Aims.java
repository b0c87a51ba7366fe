package dev.stowage.cli.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Holds what was measured against what this project wants to reach. */
final class Aims {

    static final String NODE_ROLE = "ours, --role node with registration, health and metrics";
    static final String AFTER_CALLS = "after calls";

    private static final int VOLUMES = 1_000;
    private static final int CALLERS = 8;
    private static final int MANY = 10_000;
    private static final double SCALING = 1.2;
    private static final long NODE_MEMORY = 64_000_000;
    private static final long FIRST_PROBE_MILLIS = 300;

    private Aims() {}

    /** @param informative operations that no aim speaks of */
    static List<Verdict> judge(Results results, Set<String> informative) {
        var verdicts = new ArrayList<Verdict>();
        String ahead = "ahead of the reference at " + CALLERS + " callers with " + VOLUMES + " volumes";
        results.rows().stream()
                .filter(row -> row.volumes() == VOLUMES && row.callers() == CALLERS)
                .filter(row -> !informative.contains(row.operation()))
                .forEach(row -> verdicts.add(ahead(ahead, row)));
        String steady = "at " + MANY + " volumes at most " + SCALING + " times the cost at " + Plan.FEW;
        results.scalings().stream()
                .filter(scaling -> scaling.driver().equals("ours") && scaling.many() == MANY)
                .forEach(scaling -> verdicts.add(steady(steady, scaling)));
        results.footprints().stream()
                .filter(footprint -> footprint.process().equals(NODE_ROLE))
                .forEach(footprint -> verdicts.add(Verdict.atMost(
                        "node role at most " + Figures.megabytes(NODE_MEMORY) + " resident",
                        footprint.when(),
                        footprint.memory().resident(),
                        NODE_MEMORY,
                        Figures.megabytes(footprint.memory().resident()))));
        results.starts().forEach(starts -> verdicts.add(promptly(starts)));
        return verdicts;
    }

    private static Verdict ahead(String aim, Row row) {
        if (row.ratio().isEmpty()) {
            return Verdict.unknown(aim, row.operation(), "no ratio");
        }
        double ratio = row.ratio().getAsDouble();
        return Verdict.atMost(aim, row.operation(), ratio, 1, Figures.ratio(ratio) + " of its time");
    }

    private static Verdict steady(String aim, Scaling scaling) {
        if (scaling.ratio().isEmpty()) {
            return Verdict.unknown(aim, scaling.operation(), "no ratio");
        }
        double ratio = scaling.ratio().getAsDouble();
        return Verdict.atMost(aim, scaling.operation(), ratio, SCALING, Figures.ratio(ratio) + " times");
    }

    private static Verdict promptly(Results.Starts starts) {
        String aim = "first Probe within " + FIRST_PROBE_MILLIS + " ms";
        String when = "with " + starts.volumes() + " volumes on record";
        return switch (starts.ours()) {
            case Outcome.Measured measured ->
                Verdict.atMost(
                        aim,
                        when,
                        measured.statistics().median().toNanos() / 1e6,
                        FIRST_PROBE_MILLIS,
                        Figures.time(measured.statistics().median()));
            case Outcome.NotRun notRun -> Verdict.unknown(aim, when, notRun.reason());
        };
    }
}
