package dev.stowage.cli.bench.arrays;

import dev.stowage.cli.bench.Progress;
import dev.stowage.cli.bench.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "arrays",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures the controller of arrays with many arrays, volumes and nodes.",
            "The arrays are our own, on this machine, with a real etcd and API server; everything is gone at the end.",
            "There is nothing to compare with but itself: many volumes with few, and a sick array with none.",
            "A full run takes about ten minutes."
        })
public final class ArraysCommand implements Callable<Integer> {

    private static final int FEW = 100;

    @Option(names = "--quick", description = "A first impression within two minutes.")
    private boolean quick;

    @Option(names = "--arrays", paramLabel = "N", description = "How many arrays (default: 20; quick: 4).")
    private @Nullable Integer arrays;

    @Option(names = "--volumes", paramLabel = "N", description = "How many volumes (default: 10000; quick: 200).")
    private @Nullable Integer volumes;

    @Option(names = "--nodes", paramLabel = "N", description = "How many nodes (default: 500; quick: 20).")
    private @Nullable Integer nodes;

    @Option(
            names = "--callers",
            paramLabel = "N",
            description = "How many volumes are made at once (default: 32; quick: 16).")
    private @Nullable Integer callers;

    @Option(
            names = "--attachers",
            paramLabel = "N",
            description = "How many volumes are attached at once (default: 8).")
    private int attachers = 8;

    @Option(
            names = "--turn",
            paramLabel = "SECONDS",
            description = "How long one turn with a sick array, or without, takes (default: 20; quick: 6).")
    private @Nullable Integer turn;

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            description = "How often the controller looks at every array (default: 10; quick: 3).")
    private @Nullable Integer interval;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "Where logs and settings are during the run (default: a new directory in ${java.io.tmpdir}).")
    private Path parent = Path.of(System.getProperty("java.io.tmpdir"));

    @Option(names = "--markdown", paramLabel = "FILE", description = "Also write the report as Markdown.")
    private @Nullable Path markdown;

    @Override
    public Integer call() throws IOException, InterruptedException {
        var plan = plan();
        var results = new ArraysResults();
        boolean complete;
        try (var workspace = Workspace.in(parent)) {
            var progress = new Progress(
                    System.err, System.console() != null && System.console().isTerminal());
            var bench =
                    new ArraysBench(plan, workspace, Path.of(Environment.required("STOWAGE_HOME")), progress, results);
            complete = run(bench, results);
            var report = new ArraysReport(plan, results);
            System.out.println();
            System.out.print(report.plain());
            if (markdown != null) {
                Files.writeString(markdown, report.markdown());
            }
        }
        return complete && results.failures().isEmpty() ? 0 : 1;
    }

    /** Whatever was measured before a failure is still reported. */
    private static boolean run(ArraysBench bench, ArraysResults results) throws InterruptedException {
        try {
            bench.run();
            return true;
        } catch (IOException | RuntimeException failure) {
            results.note("the run ended early: " + failure);
            System.err.println("stowage: the run ended early: " + failure);
            return false;
        }
    }

    private ArraysPlan plan() {
        int many = volumes != null ? volumes : quick ? 200 : 10_000;
        return new ArraysPlan(
                arrays != null ? arrays : quick ? 4 : 20,
                many,
                Math.min(many / 2, FEW),
                nodes != null ? nodes : quick ? 20 : 500,
                callers != null ? callers : quick ? 16 : 32,
                attachers,
                Duration.ofSeconds(turn != null ? turn : quick ? 6 : 20),
                quick ? 1 : 2,
                Duration.ofSeconds(interval != null ? interval : quick ? 3 : 10),
                Duration.ofSeconds(quick ? 2 : 5));
    }
}
