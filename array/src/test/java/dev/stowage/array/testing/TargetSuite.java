package dev.stowage.array.testing;

import dev.stowage.linux.command.Commands;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * One run of iscsi-test-cu, libiscsi's conformance suite for targets.
 *
 * @param passed the tests that really ran and passed
 */
public record TargetSuite(Set<String> passed, Set<String> skipped, Set<String> failed, String output) {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Pattern SUITE = Pattern.compile("Suite: (\\S+)");
    private static final Pattern TEST = Pattern.compile("  Test: (\\S+) \\.\\.\\.(.*)");
    private static final Pattern OUTCOME = Pattern.compile("(passed|FAILED)\\b.*");

    /** Runs every test once, also those that write. Both sessions of a test with two have the same initiator's name. */
    public static TargetSuite run(String url, String initiator) {
        var result = Commands.query(
                PATIENCE,
                "iscsi-test-cu",
                "--dataloss",
                "--verbose",
                "--test=ALL",
                "-i",
                initiator,
                "-I",
                initiator,
                url);
        return read(result.stdout() + result.stderr());
    }

    private static TargetSuite read(String output) {
        var run = new TargetSuite(new TreeSet<>(), new TreeSet<>(), new TreeSet<>(), output);
        var suite = "";
        var test = "";
        boolean skips = false;
        for (String line : output.lines().toList()) {
            var rest = line;
            var match = SUITE.matcher(line);
            if (match.matches()) {
                suite = match.group(1);
                continue;
            }
            match = TEST.matcher(line);
            if (match.matches()) {
                test = suite + "." + match.group(1);
                skips = false;
                rest = match.group(2);
            }
            skips |= rest.contains("[SKIPPED]");
            match = OUTCOME.matcher(rest);
            if (!test.isEmpty() && match.matches()) {
                run.put(test, match.group(1).equals("passed"), skips);
                test = "";
            }
        }
        return run;
    }

    private void put(String test, boolean well, boolean skips) {
        (well ? skips ? skipped : passed : failed).add(test);
    }
}
