package dev.stowage.workbench.install;

import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.process.Programs;
import dev.stowage.workbench.process.Programs.Result;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** helm, as the administrator of a cluster. */
public final class Helm {
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private final String program;
    private final Map<String, String> environment;

    public Helm(Cluster cluster) {
        program = cluster.tools().program("helm");
        // What it keeps, it keeps with the cluster.
        Path home = cluster.layout().state().resolve("helm");
        environment = Map.of(
                "KUBECONFIG", cluster.kubeconfig().toString(),
                "HOME", home.toString(),
                "HELM_CACHE_HOME", home.resolve("cache").toString(),
                "HELM_CONFIG_HOME", home.resolve("config").toString(),
                "HELM_DATA_HOME", home.resolve("data").toString());
    }

    public Result tryTo(List<String> arguments, String input) {
        var command = new ArrayList<>(List.of(program));
        command.addAll(arguments);
        return Programs.run(LIMIT, command, environment, input);
    }

    public String run(String... arguments) {
        return tryTo(List.of(arguments), "").orThrow();
    }
}
