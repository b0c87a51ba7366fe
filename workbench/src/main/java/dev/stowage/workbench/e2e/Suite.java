package dev.stowage.workbench.e2e;

import dev.stowage.workbench.Environment;
import dev.stowage.workbench.WorkbenchException;
import dev.stowage.workbench.process.Programs;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The programs of the official suite. */
final class Suite {
    private static final Duration FOR_A_LOOK = Duration.ofMinutes(3);

    /** How the suite tells of a spec that it has done. Those that were not chosen are a bare S. */
    private static final Pattern DONE = Pattern.compile("^(• \\[|S \\[SKIPPED])");

    private static final Pattern LABELS = Pattern.compile(" \\[[^\\[\\]]*]$");

    private final Path program;
    private final Path ginkgo;
    private final Path directory;
    private final Map<String, String> environment;

    /**
     * @param directory where the suite keeps its files and writes its reports
     * @param environment what the suite reads beside its options
     */
    Suite(Path directory, Map<String, String> environment) {
        ginkgo = Environment.path("STOWAGE_GINKGO");
        this.directory = directory;
        this.environment = Map.copyOf(environment);
        // What runs specs in parallel knows a suite by how its name ends.
        program = directory.resolve("e2e.test");
        try {
            Files.deleteIfExists(program);
            Files.createSymbolicLink(program, Environment.path("STOWAGE_E2E_TEST"));
        } catch (IOException failure) {
            throw new WorkbenchException("cannot make %s: %s".formatted(program, failure.getMessage()), failure);
        }
    }

    /** The images that the suite would use, by the names that it would use them by. */
    List<String> images() {
        return Programs.run(FOR_A_LOOK, List.of(program.toString(), "--list-images"), environment, "")
                .orThrow()
                .lines()
                .filter(line -> line.matches("[a-z0-9./-]+:[A-Za-z0-9._-]+"))
                .toList();
    }

    /** The specs of a pass. */
    List<Spec> specs(Pass pass, Optional<Pattern> only, List<String> options) {
        var report = directory.resolve(pass.name() + ".selection.xml");
        var command = new ArrayList<>(List.of(
                program.toString(),
                "--ginkgo.dry-run",
                "--ginkgo.succinct",
                "--ginkgo.focus=" + pass.focus(),
                "--ginkgo.junit-report=" + report));
        pass.skip().ifPresent(skip -> command.add("--ginkgo.skip=" + skip));
        command.addAll(options);
        Programs.run(FOR_A_LOOK, command, environment, "").orThrow();
        return SuiteReport.read(report).stream()
                .filter(spec ->
                        only.isEmpty() || only.get().matcher(spec.name()).find())
                .toList();
    }

    /** Runs specs of a pass, several at a time, and tells how far it is. */
    List<Spec> run(Pass pass, List<Spec> chosen, int processes, List<String> options, PrintStream progress) {
        var report = directory.resolve(pass.name() + ".xml");
        var log = directory.resolve(pass.name() + ".log");
        var command = new ArrayList<>(List.of(
                ginkgo.toString(),
                "run",
                "--no-color",
                "-v",
                "--procs=" + processes,
                "--timeout=4h",
                "--output-dir=" + directory,
                "--junit-report=" + report.getFileName(),
                "--focus=" + choosing(chosen)));
        pass.skip().ifPresent(skip -> command.add("--skip=" + skip));
        command.addAll(List.of(program.toString(), "--"));
        command.addAll(options);
        try {
            Files.deleteIfExists(report);
            var builder =
                    new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
            builder.environment().putAll(environment);
            var process = builder.start();
            process.getOutputStream().close();
            var stop = new Thread(process::destroy);
            Runtime.getRuntime().addShutdownHook(stop);
            follow(process, log, pass, chosen.size(), progress);
            process.waitFor();
            Runtime.getRuntime().removeShutdownHook(stop);
        } catch (IOException failure) {
            throw new WorkbenchException("the suite cannot be run: " + failure.getMessage(), failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new WorkbenchException("interrupted while the suite was running", interrupted);
        }
        if (!Files.exists(report)) {
            throw new WorkbenchException("the suite ended without a report; %s has everything it said".formatted(log));
        }
        return SuiteReport.read(report);
    }

    private static void follow(Process process, Path log, Pass pass, int all, PrintStream progress) throws IOException {
        int done = 0;
        int failed = 0;
        try (var lines = process.inputReader(StandardCharsets.UTF_8);
                var copy = Files.newBufferedWriter(log)) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                copy.write(line);
                copy.newLine();
                if (DONE.matcher(line).find()) {
                    copy.flush();
                    done++;
                    failed += line.contains("[FAILED]") ? 1 : 0;
                    progress.printf("    %s: %d of %d done, %d failed%n", pass.name(), done, all, failed);
                }
            }
        }
    }

    /**
     * What chooses these specs, and at most a few more. The names in a report end in labels, which the suite does not look at when it
     * chooses, and which look like the rest of the name.
     */
    private static String choosing(List<Spec> specs) {
        return specs.stream()
                .map(spec -> quoted(LABELS.matcher(spec.name()).replaceFirst("")))
                .distinct()
                .collect(Collectors.joining("|", "External.Storage.*(", ")"));
    }

    /** For Go's regular expressions. */
    private static String quoted(String text) {
        return text.replaceAll("[\\\\.+*?()|\\[\\]{}^$]", "\\\\$0");
    }
}
