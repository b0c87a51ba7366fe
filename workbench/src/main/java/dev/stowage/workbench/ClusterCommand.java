package dev.stowage.workbench;

import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.cluster.Layout;
import dev.stowage.workbench.cluster.Leftovers;
import dev.stowage.workbench.cluster.Tools;
import dev.stowage.workbench.story.Story;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;

@Command(
        name = "cluster",
        scope = ScopeType.INHERIT,
        synopsisSubcommandLabel = "COMMAND",
        description = {
            "A whole Kubernetes on this machine: control plane, nodes, snapshot API.",
            "It goes on until it is taken down, and nothing of it is left then."
        })
final class ClusterCommand {

    @Option(
            names = {"-h", "--help"},
            scope = ScopeType.INHERIT,
            usageHelp = true,
            description = "Show this help message and exit.")
    private boolean help;

    @Option(
            names = "--name",
            scope = ScopeType.INHERIT,
            paramLabel = "NAME",
            description = "Which cluster, if there are several (default: ${DEFAULT-VALUE}).")
    private String name = Layout.DEFAULT_NAME;

    @Option(
            names = "--directory",
            scope = ScopeType.INHERIT,
            paramLabel = "DIR",
            description = "Where clusters keep their files (default: clusters in the cache).")
    private @Nullable Path directory;

    @Command(description = "Start it, or what is missing of it.")
    int up(
            @Option(
                            names = "--nodes",
                            paramLabel = "N",
                            description = "How many nodes (default: 1, or as many as it has).")
                    @Nullable
                    Integer nodes) {
        if (nodes != null && (nodes < 1 || nodes > 100)) {
            throw new WorkbenchException("a cluster has between 1 and 100 nodes, not " + nodes);
        }
        var cluster = Cluster.up(layout(), Optional.ofNullable(nodes), Tools.fromEnvironment(), Story.onStderr());
        var option = name.equals(Layout.DEFAULT_NAME) ? "" : " --name " + name;
        System.err.printf("""

                  ./stowage cluster kubectl%1$s get nodes       or: export KUBECONFIG=%2$s
                  ./stowage cluster down%1$s                    takes it away again
                """, option, cluster.kubeconfig());
        return 0;
    }

    @Command(description = "Tell how every part is.")
    int status() {
        var parts = cluster().status();
        parts.forEach(
                part -> System.out.printf("%s %-28s %s%n", part.healthy() ? "✓" : "✗", part.part(), part.words()));
        return parts.stream().allMatch(part -> part.healthy()) ? 0 : 1;
    }

    @Command(description = "Print the file with which kubectl and others find it.")
    int kubeconfig() throws IOException {
        System.out.print(Files.readString(cluster().kubeconfig()));
        return 0;
    }

    @Command(description = "Run kubectl as its administrator.")
    int kubectl(
            @Parameters(arity = "0..*", paramLabel = "ARGUMENT", description = "What kubectl takes.")
                    List<String> arguments)
            throws IOException, InterruptedException {
        var cluster = cluster();
        var command =
                new ArrayList<>(List.of(cluster.tools().program("kubectl"), "--kubeconfig=" + cluster.kubeconfig()));
        command.addAll(arguments);
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }

    @Command(description = "Print what a part has said. Without PART, name the parts.")
    int logs(
            @Parameters(
                            arity = "0..1",
                            paramLabel = "PART",
                            description = "For example kube-apiserver or node-1.kubelet.")
                    @Nullable
                    String part,
            @Option(
                            names = {"-f", "--follow"},
                            description = "Go on with what it says from now on.")
                    boolean follow)
            throws IOException, InterruptedException {
        var cluster = cluster();
        if (part == null) {
            cluster.parts().forEach(System.out::println);
            return 0;
        }
        var command = new ArrayList<>(List.of("tail", "--lines=+1"));
        if (follow) {
            command.add("--follow=name");
        }
        command.add(cluster.log(part).toString());
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }

    @Command(description = "Take it away, in whatever state it is.")
    int down() {
        var layout = layout();
        if (new Leftovers(layout).list().isEmpty()) {
            System.err.printf("  there is no cluster %s%n", layout.name());
            return 0;
        }
        Cluster.down(layout, Story.onStderr());
        return 0;
    }

    private Cluster cluster() {
        return Cluster.find(layout())
                .orElseThrow(() -> new WorkbenchException(
                        "there is no cluster %s; `./stowage cluster up` starts one".formatted(layout().name())));
    }

    private Layout layout() {
        return Layout.of(name, directory == null ? Layout.defaultParent() : directory);
    }
}
