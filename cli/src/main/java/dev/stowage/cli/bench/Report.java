package dev.stowage.cli.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The results for people, on a terminal or in Markdown, and for programs. */
final class Report {

    private final Results results;
    private final List<Verdict> verdicts;
    private final List<Section> sections = new ArrayList<>();

    private record Section(String title, TextTable table) {}

    Report(Results results, List<Verdict> verdicts) {
        this.results = results;
        this.verdicts = verdicts;
        comparisons();
        scaling();
        starts();
        memory();
        aims();
    }

    private void comparisons() {
        results.rows().stream().map(Row::volumes).distinct().forEach(volumes -> {
            var table = new TextTable(
                    1, "operation", "callers", "ours", "p95", "n", "reference", "p95", "n", "ours/reference", "errors");
            results.rows().stream()
                    .filter(row -> row.volumes() == volumes)
                    .forEach(row -> table.row(
                            row.operation(),
                            Integer.toString(row.callers()),
                            median(row.ours()),
                            p95(row.ours()),
                            count(row.ours()),
                            median(row.reference()),
                            p95(row.reference()),
                            count(row.reference()),
                            ratio(row.ratio()),
                            errors(row.ours(), row.reference())));
            sections.add(new Section("With " + volumes + " volumes present", table));
        });
    }

    private void scaling() {
        if (results.scalings().isEmpty()) {
            return;
        }
        var first = results.scalings().getFirst();
        var table = new TextTable(
                2, "operation", "driver", "at " + first.few(), "n", "at " + first.many(), "n", "ratio", "errors");
        results.scalings()
                .forEach(scaling -> table.row(
                        scaling.operation(),
                        scaling.driver(),
                        median(scaling.withFew()),
                        count(scaling.withFew()),
                        median(scaling.withMany()),
                        count(scaling.withMany()),
                        ratio(scaling.ratio()),
                        errors(scaling.withFew(), scaling.withMany())));
        sections.add(new Section(
                "Cost with " + first.many() + " volumes and with " + first.few() + ", at " + first.callers()
                        + " callers",
                table));
    }

    private void starts() {
        if (results.starts().isEmpty()) {
            return;
        }
        var table = new TextTable(0, "volumes on record", "ours", "p95", "n", "reference", "p95", "n");
        results.starts()
                .forEach(starts -> table.row(
                        Integer.toString(starts.volumes()),
                        median(starts.ours()),
                        p95(starts.ours()),
                        count(starts.ours()),
                        median(starts.reference()),
                        p95(starts.reference()),
                        count(starts.reference())));
        sections.add(new Section("From the start of the process to the first Probe", table));
    }

    private void memory() {
        if (results.footprints().isEmpty()) {
            return;
        }
        var table = new TextTable(2, "process", "when", "resident", "of that anonymous");
        results.footprints()
                .forEach(footprint -> table.row(
                        footprint.process(),
                        footprint.when(),
                        Figures.megabytes(footprint.memory().resident()),
                        Figures.megabytes(footprint.memory().anonymous())));
        table.row("reference's node pod: driver, registrar, livenessprobe", "measured elsewhere", "55 MB", "");
        sections.add(new Section("Memory", table));
    }

    private void aims() {
        if (verdicts.isEmpty()) {
            return;
        }
        var table = new TextTable(4, "aim", "for", "verdict", "figure");
        verdicts.forEach(verdict ->
                table.row(verdict.aim(), verdict.operation(), verdict.finding().toString(), verdict.figure()));
        sections.add(new Section("Aims", table));
    }

    String plain() {
        return render(title -> title + "\n", TextTable::plain, "  ");
    }

    String markdown() {
        return render(title -> "## " + title + "\n", TextTable::markdown, "- ");
    }

    private String render(Function<String, String> heading, Function<TextTable, String> body, String bullet) {
        var text = new StringBuilder();
        text.append(heading.apply("Machine")).append('\n');
        results.machine().forEach((what, value) -> text.append(bullet + what + ": " + value + "\n"));
        for (var section : sections) {
            text.append('\n')
                    .append(heading.apply(section.title()))
                    .append('\n')
                    .append(body.apply(section.table()));
        }
        list(text, heading, bullet, "Notes", results.notes());
        list(
                text,
                heading,
                bullet,
                "Errors",
                results.errors().entrySet().stream()
                        .map(error -> error.getValue() + " × " + error.getKey())
                        .toList());
        return text.toString();
    }

    private static void list(
            StringBuilder text, Function<String, String> heading, String bullet, String title, List<String> lines) {
        if (!lines.isEmpty()) {
            text.append('\n').append(heading.apply(title)).append('\n');
            lines.forEach(line -> text.append(bullet + line + "\n"));
        }
    }

    String json() {
        return Json.write(ordered(
                        "machine",
                        results.machine(),
                        "operations",
                        results.rows().stream().map(Report::json).toList(),
                        "scaling",
                        results.scalings().stream().map(Report::json).toList(),
                        "starts",
                        results.starts().stream()
                                .map(starts -> ordered(
                                        "volumes",
                                        starts.volumes(),
                                        "ours",
                                        json(starts.ours()),
                                        "reference",
                                        json(starts.reference())))
                                .toList(),
                        "memory",
                        results.footprints().stream()
                                .map(footprint -> ordered(
                                        "process",
                                        footprint.process(),
                                        "when",
                                        footprint.when(),
                                        "residentBytes",
                                        footprint.memory().resident(),
                                        "anonymousBytes",
                                        footprint.memory().anonymous()))
                                .toList(),
                        "aims",
                        verdicts.stream()
                                .map(verdict -> ordered(
                                        "aim",
                                        verdict.aim(),
                                        "for",
                                        verdict.operation(),
                                        "verdict",
                                        verdict.finding(),
                                        "figure",
                                        verdict.figure()))
                                .toList(),
                        "notes",
                        results.notes(),
                        "errors",
                        results.errors()))
                + "\n";
    }

    private static Map<String, Object> json(Row row) {
        var json = ordered(
                "operation",
                row.operation(),
                "volumes",
                row.volumes(),
                "callers",
                row.callers(),
                "ours",
                json(row.ours()),
                "reference",
                json(row.reference()));
        row.ratio().ifPresent(ratio -> json.put("ratio", ratio));
        return json;
    }

    private static Map<String, Object> json(Scaling scaling) {
        var json = ordered(
                "driver",
                scaling.driver(),
                "operation",
                scaling.operation(),
                "callers",
                scaling.callers(),
                "few",
                scaling.few(),
                "many",
                scaling.many(),
                "withFew",
                json(scaling.withFew()),
                "withMany",
                json(scaling.withMany()));
        scaling.ratio().ifPresent(ratio -> json.put("ratio", ratio));
        return json;
    }

    private static Map<String, Object> json(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Measured(var statistics, var errors) ->
                ordered(
                        "count",
                        statistics.count(),
                        "medianNanos",
                        statistics.median().toNanos(),
                        "p95Nanos",
                        statistics.p95().toNanos(),
                        "leastNanos",
                        statistics.least().toNanos(),
                        "mostNanos",
                        statistics.most().toNanos(),
                        "errors",
                        errors);
            case Outcome.NotRun(var reason, var errors) -> ordered("notRun", reason, "errors", errors);
        };
    }

    private static Map<String, Object> ordered(Object... keysAndValues) {
        var map = new LinkedHashMap<String, Object>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return map;
    }

    private static String median(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Measured measured -> Figures.time(measured.statistics().median());
            case Outcome.NotRun notRun -> notRun.reason();
        };
    }

    private static String p95(Outcome outcome) {
        return outcome instanceof Outcome.Measured measured
                ? Figures.time(measured.statistics().p95())
                : "";
    }

    private static String count(Outcome outcome) {
        return outcome instanceof Outcome.Measured measured
                ? Integer.toString(measured.statistics().count())
                : "";
    }

    private static String ratio(OptionalDouble ratio) {
        return ratio.isPresent() ? Figures.ratio(ratio.getAsDouble()) : "–";
    }

    private static String errors(Outcome... outcomes) {
        int errors = List.of(outcomes).stream().collect(Collectors.summingInt(Outcome::errorCount));
        return errors == 0 ? "" : Integer.toString(errors);
    }
}
