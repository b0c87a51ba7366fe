package dev.stowage.cli.bench;

import dev.stowage.cli.bench.arrays.ArraysCommand;
import dev.stowage.core.volume.Sizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        subcommands = ArraysCommand.class,
        description = {
            "Measures speed and footprint of this driver next to the reference driver.",
            "Both do the same by turns on this machine. Everything happens in one directory and is gone at the end.",
            "A full run takes about a quarter of an hour."
        })
public final class BenchCommand implements Callable<Integer> {

    private static final long POOLS = 18 * Sizes.GIB;
    private static final int MOST_SOURCES = 12;

    @Option(names = "--quick", description = "A first impression within two minutes.")
    private boolean quick;

    @Option(
            names = "--volumes",
            split = ",",
            paramLabel = "N",
            description = "How many volumes are present (default: 0,1000,10000; quick: 0,1000).")
    private @Nullable List<Integer> volumes;

    @Option(
            names = "--callers",
            split = ",",
            paramLabel = "N",
            description = "How many calls are made at once (default: 1,8,64; quick: 1,8).")
    private @Nullable List<Integer> callers;

    @Option(
            names = "--data",
            paramLabel = "SIZE",
            description = "How much is written to the volumes that are copied (default: 256Mi; quick: 32Mi).")
    private @Nullable String data;

    @Option(
            names = "--patience",
            paramLabel = "SECONDS",
            description =
                    "How long one round with more than 8 callers may take (default: 60; quick: 10). What would take longer "
                            + "is not run, and the report says so.")
    private @Nullable Integer patience;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "Where to work (default: a new directory in ${java.io.tmpdir}).")
    private Path parent = Path.of(System.getProperty("java.io.tmpdir"));

    @Option(names = "--json", paramLabel = "FILE", description = "Also write the results as JSON.")
    private @Nullable Path json;

    @Option(names = "--markdown", paramLabel = "FILE", description = "Also write the report as Markdown.")
    private @Nullable Path markdown;

    @Override
    public Integer call() throws IOException, InterruptedException {
        var plan = plan();
        long need = POOLS + MOST_SOURCES * plan.data();
        long room = Files.getFileStore(parent).getUsableSpace();
        if (room < need) {
            System.err.printf(
                    "stowage: %s has %s free, and this run needs %s; name another place with --directory%n",
                    parent, Sizes.text(room), Sizes.text(need));
            return 3;
        }
        var results = new Results();
        boolean complete;
        try (var workspace = Workspace.in(parent)) {
            var progress = new Progress(
                    System.err, System.console() != null && System.console().isTerminal());
            var bench = new Bench(
                    plan,
                    workspace,
                    Path.of(required("STOWAGE_HOME"), "stowage"),
                    Path.of(required("STOWAGE_HOSTPATH")),
                    progress,
                    results);
            complete = run(bench, results);
            tell(new Report(results, Aims.judge(results, bench.informative())));
        }
        return complete && results.errors().isEmpty() ? 0 : 1;
    }

    /** Whatever was measured before a failure is still reported. */
    private static boolean run(Bench bench, Results results) throws InterruptedException {
        try {
            bench.run();
            return true;
        } catch (IOException | RuntimeException failure) {
            results.note("the run ended early: " + failure);
            System.err.println("stowage: the run ended early: " + failure);
            return false;
        }
    }

    private Plan plan() {
        return new Plan(
                volumes != null ? volumes : quick ? List.of(0, 1_000) : List.of(0, 1_000, 10_000),
                callers != null ? callers : quick ? List.of(1, 8) : List.of(1, 8, 64),
                Duration.ofMillis(quick ? 500 : 2_000),
                Duration.ofSeconds(patience != null ? patience : quick ? 10 : 60),
                Duration.ofSeconds(quick ? 20 : 240),
                data != null ? Sizes.parse("--data", data) : (quick ? 32 : 256) * Sizes.MIB,
                quick ? 3 : 7);
    }

    private void tell(Report report) throws IOException {
        System.out.println();
        System.out.print(report.plain());
        if (json != null) {
            Files.writeString(json, report.json());
        }
        if (markdown != null) {
            Files.writeString(markdown, report.markdown());
        }
    }

    private static String required(String variable) {
        String value = System.getenv(variable);
        if (value == null) {
            throw new IllegalStateException(variable + " is not set; start this through the ./stowage script");
        }
        return value;
    }
}
