package dev.stowage.cli.bench.arrays;

import dev.stowage.cli.bench.Figures;
import dev.stowage.cli.bench.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The results for people, on a terminal or in Markdown. */
final class ArraysReport {

    private static final double VOLUMES_PER_SECOND = 50;
    private static final double CALLS_PER_VOLUME = 3;
    /** A difference that nobody would notice. */
    private static final double ALIKE = 1.1;

    private static final List<String> OF_LOOKS =
            List.of("GET /vcontrollers", "GET /pools", "GET /volumes", "GET /snapshots");

    private final ArraysPlan plan;
    private final ArraysResults results;
    private final List<Section> sections = new ArrayList<>();
    private final TextTable aims = new TextTable(1, "aim", "figure", "");

    private record Section(String title, TextTable table) {}

    ArraysReport(ArraysPlan plan, ArraysResults results) {
        this.plan = plan;
        this.results = results;
        machine();
        making();
        attaching();
        looks();
        memory();
        sickness();
        failures();
        sections.add(new Section("Aims", aims));
    }

    private void machine() {
        var table = new TextTable(2, "", "");
        results.machine().forEach(table::row);
        table.row("arrays, volumes, nodes", plan.arrays() + ", " + plan.volumes() + ", " + plan.nodes());
        table.row("callers making volumes", Integer.toString(plan.callers()));
        table.row("callers attaching", Integer.toString(plan.attachers()));
        table.row("data of etcd and arrays", "in memory");
        sections.add(new Section("Machine", table));
    }

    private void making() {
        var table = new TextTable(1, "volumes", "figure");
        results.filling().ifPresent(load -> {
            double rate = load.perSecond(Volumes.CREATE);
            table.row("made per second, over all arrays", number(rate));
            aims.row(
                    "at least %.0f volumes made in a second".formatted(VOLUMES_PER_SECOND),
                    number(rate),
                    met(rate >= VOLUMES_PER_SECOND));
            load.of(Volumes.CREATE).ifPresent(times -> {
                table.row(Volumes.CREATE + ", median", Figures.time(times.median()));
                table.row(Volumes.CREATE + ", p99", Figures.time(times.p99()));
            });
        });
        results.whileFilling().ifPresent(calls -> {
            int made = results.filling().map(load -> load.count(Volumes.CREATE)).orElse(0);
            var asked = calls.only(key -> !OF_LOOKS.contains(key.call()));
            double each = (double) asked.total() / Math.max(1, made);
            table.row("calls to an array for each one made: " + list(asked, made), number(each));
            aims.row(
                    "at most %.0f calls to an array for each volume made".formatted(CALLS_PER_VOLUME),
                    number(each),
                    met(each <= CALLS_PER_VOLUME));
        });
        sections.add(new Section("Making volumes", table));
        results.filling().ifPresent(load -> {
            var work = new TextTable(1, "processor time for each volume made", "");
            results.work()
                    .forEach((who, time) ->
                            work.row(who, millis(time.toNanos() / 1e6 / Math.max(1, load.count(Volumes.CREATE)))));
            sections.add(new Section("What it takes", work));
        });
    }

    private void attaching() {
        var wells = results.turns(false);
        if (wells.isEmpty()) {
            return;
        }
        var table = new TextTable(1, "operation", "median", "p99", "n", "per second");
        var attachments = Turns.sum(wells, ArraysResults.Turn::attachments);
        var volumes = Turns.sum(wells, ArraysResults.Turn::volumes);
        row(table, Volumes.ATTACH, attachments);
        row(table, Volumes.DETACH, attachments);
        row(table, Volumes.CREATE, volumes);
        row(table, Volumes.DELETE, volumes);
        sections.add(new Section(
                "With " + plan.volumes() + " volumes present; attaching and detaching, or making and deleting", table));
        var calls = new TextTable(2, "for each", "calls to an array");
        int attached = attachments.count(Volumes.ATTACH);
        calls.row("attachment made and removed", list(wells, ArraysResults.Turn::whileAttaching, attached));
        calls.row(
                "volume made and deleted", list(wells, ArraysResults.Turn::whileMaking, volumes.count(Volumes.CREATE)));
        sections.add(new Section("Calls", calls));
    }

    private static void row(TextTable table, String what, Load load) {
        load.of(what)
                .ifPresent(times -> table.row(
                        what,
                        Figures.time(times.median()),
                        Figures.time(times.p99()),
                        Integer.toString(times.count()),
                        number(load.perSecond(what))));
    }

    private void looks() {
        if (results.looks().isEmpty()) {
            return;
        }
        var table = new TextTable(
                1, "for each look at one array", "calls", "controller's processor time", "array's", "looks");
        results.looks()
                .forEach(look -> table.row(
                        "with " + look.volumes() + " volumes in all",
                        number(look.callsPerLook()),
                        millis(look.controllerMillis()),
                        millis(look.arrayMillis()),
                        Long.toString(look.looks())));
        if (results.looks().size() > 1) {
            var few = results.looks().getFirst();
            var many = results.looks().getLast();
            table.row(
                    "ratio",
                    Figures.ratio(many.callsPerLook() / few.callsPerLook()),
                    Figures.ratio(many.controllerMillis() / few.controllerMillis()),
                    Figures.ratio(many.arrayMillis() / few.arrayMillis()),
                    "");
        }
        var calls = new TextTable(2, "a look at one array", "calls to it");
        results.looks()
                .forEach(look ->
                        calls.row("with " + look.volumes() + " volumes in all", list(look.calls(), look.looks())));
        sections.add(new Section("Calls of a look", calls));
        sections.add(new Section(
                "Periodic looks, every " + plan.interval().toSeconds() + " s, nothing else going on", table));
    }

    private void memory() {
        var table = new TextTable(1, "memory of the controller", "resident", "anonymous part", "live heap");
        results.weights()
                .forEach(weight -> table.row(
                        "with " + weight.volumes() + " volumes",
                        Figures.megabytes(weight.memory().resident()),
                        Figures.megabytes(weight.memory().anonymous()),
                        Figures.megabytes(weight.liveHeap())));
        sections.add(new Section("Memory", table));
    }

    private void sickness() {
        var wells = results.turns(false);
        var sicks = results.turns(true);
        if (wells.isEmpty() || sicks.isEmpty()) {
            return;
        }
        var table = new TextTable(
                1,
                "operation",
                "median, well",
                "one sick",
                "ratio",
                "p99, well",
                "one sick",
                "ratio",
                "well turns apart");
        double most = 0;
        double noise = ALIKE;
        for (String what : List.of(Volumes.CREATE, Volumes.DELETE, Volumes.ATTACH, Volumes.DETACH)) {
            Function<ArraysResults.Turn, Load> part = what.equals(Volumes.CREATE) || what.equals(Volumes.DELETE)
                    ? ArraysResults.Turn::volumes
                    : ArraysResults.Turn::attachments;
            most = Math.max(most, compare(table, what, wells, sicks, part));
            noise = Math.max(noise, Turns.apart(wells, part, what));
        }
        aims.row(
                "a sick array adds nothing measurable: no median rises by more than turns differ in which all are well (%s)"
                        .formatted(Figures.ratio(noise)),
                Figures.ratio(most),
                met(most <= noise));
        sections.add(new Section("One of the arrays is sick: it answers nothing within the time limit", table));
        var rates = new TextTable(1, "per second", "well", "one sick", "ratio");
        double well = Turns.sum(wells, ArraysResults.Turn::volumes).perSecond(Volumes.CREATE);
        double sick = Turns.sum(sicks, ArraysResults.Turn::volumes).perSecond(Volumes.CREATE);
        rates.row("volumes made and deleted", number(well), number(sick), Figures.ratio(sick / well));
        double attached = Turns.sum(wells, ArraysResults.Turn::attachments).perSecond(Volumes.ATTACH);
        double attachedSick = Turns.sum(sicks, ArraysResults.Turn::attachments).perSecond(Volumes.ATTACH);
        rates.row(
                "volumes of the others attached and detached",
                number(attached),
                number(attachedSick),
                Figures.ratio(attachedSick / attached));
        sections.add(new Section("How many", rates));
        var made = Turns.sum(sicks, ArraysResults.Turn::volumes);
        int elsewhere = made.count(Volumes.CREATE_ELSEWHERE);
        results.note(
                "%d volumes were made while an array was sick without meeting it. %d more had been asked of it first and went elsewhere after its time limit of %d s; they are not part of the figures above"
                        .formatted(
                                made.count(Volumes.CREATE),
                                elsewhere,
                                plan.timeout().toSeconds()));
    }

    private static double compare(
            TextTable table,
            String what,
            List<ArraysResults.Turn> wells,
            List<ArraysResults.Turn> sicks,
            Function<ArraysResults.Turn, Load> part) {
        var well = Turns.sum(wells, part).of(what);
        var sick = Turns.sum(sicks, part).of(what);
        if (well.isEmpty() || sick.isEmpty()) {
            return 0;
        }
        double ratio = sick.get().ratioTo(well.get());
        table.row(
                what,
                Figures.time(well.get().median()),
                Figures.time(sick.get().median()),
                Figures.ratio(ratio),
                Figures.time(well.get().p99()),
                Figures.time(sick.get().p99()),
                Figures.ratio(Turns.ratio(sick.get().p99(), well.get().p99())),
                Figures.ratio(Turns.apart(wells, part, what)));
        return ratio;
    }

    private static String list(
            List<ArraysResults.Turn> turns, Function<ArraysResults.Turn, Calls> part, int operations) {
        return turns.stream()
                .map(part)
                .flatMap(calls -> calls.only(key -> !OF_LOOKS.contains(key.call())).byCall().entrySet().stream())
                .collect(Collectors.groupingBy(
                        Map.Entry::getKey, TreeMap::new, Collectors.summingLong(Map.Entry::getValue)))
                .entrySet()
                .stream()
                .map(entry -> entry.getKey() + " " + number((double) entry.getValue() / Math.max(1, operations)))
                .collect(Collectors.joining(", "));
    }

    private static String list(Calls calls, long operations) {
        return calls.byCall().entrySet().stream()
                .map(entry -> entry.getKey() + " " + number((double) entry.getValue() / Math.max(1, operations)))
                .collect(Collectors.joining(", "));
    }

    private void failures() {
        if (results.failures().isEmpty()) {
            return;
        }
        var table = new TextTable(1, "what failed", "times");
        results.failures().forEach((why, times) -> table.row(why, Integer.toString(times)));
        sections.add(new Section("Failures", table));
    }

    private static String met(boolean isMet) {
        return isMet ? "met" : "missed";
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 9.995 ? "%.2f" : "%.1f", value);
    }

    private static String millis(double value) {
        return number(value) + " ms";
    }

    String plain() {
        var text = new StringBuilder();
        sections.forEach(section -> text.append(section.title())
                .append("\n\n")
                .append(section.table().plain())
                .append('\n'));
        results.notes().forEach(note -> text.append("Note: ").append(note).append('\n'));
        return text.toString();
    }

    String markdown() {
        var text = new StringBuilder("# Benchmark of the controller of arrays\n\n");
        sections.forEach(section -> text.append("## ")
                .append(section.title())
                .append("\n\n")
                .append(section.table().markdown())
                .append('\n'));
        results.notes().forEach(note -> text.append("- ").append(note).append('\n'));
        return text.toString();
    }
}
