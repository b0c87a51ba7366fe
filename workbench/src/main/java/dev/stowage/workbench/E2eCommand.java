package dev.stowage.workbench;

import dev.stowage.workbench.cluster.Layout;
import dev.stowage.workbench.e2e.OfficialSuite;
import dev.stowage.workbench.story.Story;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "e2e",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs the official External Storage tests of Kubernetes against Stowage, in a cluster of its own.",
            "Exit code 0 if every spec ended as the lists in e2e/ say."
        })
final class E2eCommand implements Callable<Integer> {

    @Option(names = "--focus", paramLabel = "REGEX", description = "Run only specs whose name matches.")
    private @Nullable String focus;

    @Option(
            names = "--procs",
            paramLabel = "N",
            defaultValue = "6",
            description = "How many specs at a time (default: ${DEFAULT-VALUE}).")
    private int processes = 6;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            defaultValue = "2",
            description = "How many nodes the cluster has (default: ${DEFAULT-VALUE}).")
    private int nodes = 2;

    @Option(names = "--keep", description = "Leave the cluster there, for a look around or for the next run.")
    private boolean keep;

    @Option(
            names = "--record",
            description = "Write how the specs ended into the lists. A skip that is new has to be explained there.")
    private boolean record;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            defaultValue = "e2e",
            description = "The name of the cluster (default: ${DEFAULT-VALUE}).")
    private String name = "e2e";

    @Override
    public Integer call() {
        if (processes < 1 || nodes < 2) {
            throw new WorkbenchException(
                    "--procs has to be at least 1 and --nodes at least 2, for the tests about nodes");
        }
        var suite =
                new OfficialSuite(Environment.home(), Layout.of(name, Layout.defaultParent()), nodes, Story.onStderr());
        return suite.run(only(), processes, keep, record) ? 0 : 1;
    }

    private Optional<Pattern> only() {
        try {
            return Optional.ofNullable(focus).map(Pattern::compile);
        } catch (PatternSyntaxException wrong) {
            throw new WorkbenchException("--focus %s: %s".formatted(focus, wrong.getMessage()), wrong);
        }
    }
}
