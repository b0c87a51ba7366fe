package dev.stowage.workbench.e2e;

import dev.stowage.workbench.e2e.Spec.Outcome;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.stream.Collectors;

/**
 * How a run compares with what was expected of it.
 *
 * @param leftOut what the driver can do and the suite was not told; a spec that was skipped for it counts as failed
 * @param complete whether all specs were meant to run
 */
record Verdict(List<Spec> specs, Expectations expectations, SortedSet<String> leftOut, boolean complete) {

    /** Prints it. Returns whether all was as expected. */
    boolean print(PrintStream out, Path reports) {
        var objections = specs.stream()
                .filter(spec -> !expectations.objection(spec).isEmpty())
                .toList();
        for (var spec : objections) {
            out.printf("%n✗ %s%n  %s%n", spec.name(), firstLines(expectations.objection(spec)));
        }
        var missing = complete
                ? expectations.missingFrom(specs.stream().map(Spec::name).collect(Collectors.toSet()))
                : List.<String>of();
        missing.forEach(name -> out.printf("%n✗ %s%n  it is expected, and was not run%n", name));
        leftOut.forEach(capability -> out.printf(
                "%n✗ %s%n  the driver can do this, and e2e/testdriver.yaml does not say so; specs are skipped for it%n",
                capability));
        out.printf("%nskipped:%n");
        expectations.reasons(specs).forEach((reason, count) -> out.printf("%5d  %s%n", count, reason));
        out.printf(
                "%n%d run: %d passed, %d failed, %d skipped; %d not as expected. Logs and reports are in %s%n",
                specs.size(),
                count(Outcome.PASSED),
                count(Outcome.FAILED),
                count(Outcome.SKIPPED),
                objections.size() + missing.size() + leftOut.size(),
                reports);
        return objections.isEmpty() && missing.isEmpty() && leftOut.isEmpty();
    }

    private long count(Outcome outcome) {
        return specs.stream().filter(spec -> spec.outcome() == outcome).count();
    }

    private static String firstLines(String text) {
        return text.lines().limit(6).collect(Collectors.joining("\n  "));
    }
}
