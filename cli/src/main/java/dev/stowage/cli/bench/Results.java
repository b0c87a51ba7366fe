package dev.stowage.cli.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Everything that a run found out, filled while it goes on, so that an early end still has a report. */
final class Results {

    /** Starts with so many volumes on record. */
    record Starts(int volumes, Outcome ours, Outcome reference) {}

    /** Memory of one process at one time. */
    record Footprint(String process, String when, Memory memory) {}

    private final Map<String, String> machine = new LinkedHashMap<>();
    private final List<Row> rows = new ArrayList<>();
    private final List<Scaling> scalings = new ArrayList<>();
    private final List<Starts> starts = new ArrayList<>();
    private final List<Footprint> footprints = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final Map<String, Integer> errors = new TreeMap<>();

    void machine(String what, String value) {
        machine.put(what, value);
    }

    void add(Row row) {
        rows.add(row);
        count(row.ours(), "ours, " + row.operation());
        count(row.reference(), "reference, " + row.operation());
    }

    void add(Scaling scaling) {
        scalings.add(scaling);
        count(scaling.withMany(), scaling.driver() + ", " + scaling.operation());
        count(scaling.withFew(), scaling.driver() + ", " + scaling.operation());
    }

    void add(Starts measured) {
        starts.add(measured);
        count(measured.ours(), "ours, start");
        count(measured.reference(), "reference, start");
    }

    void add(Footprint footprint) {
        footprints.add(footprint);
    }

    void note(String note) {
        notes.add(note);
    }

    void count(Outcome outcome, String where) {
        outcome.errors().forEach((reason, times) -> errors.merge(where + ": " + reason, times, Integer::sum));
    }

    void fail(String what) {
        errors.merge(what, 1, Integer::sum);
    }

    Map<String, String> machine() {
        return machine;
    }

    List<Row> rows() {
        return rows;
    }

    List<Scaling> scalings() {
        return scalings;
    }

    List<Starts> starts() {
        return starts;
    }

    List<Footprint> footprints() {
        return footprints;
    }

    List<String> notes() {
        return notes;
    }

    /** What failed, with how often. */
    Map<String, Integer> errors() {
        return errors;
    }
}
