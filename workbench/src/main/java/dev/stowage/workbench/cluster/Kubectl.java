package dev.stowage.workbench.cluster;

import dev.stowage.workbench.process.Programs;
import dev.stowage.workbench.process.Programs.Result;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** kubectl, as the administrator of a cluster. */
public final class Kubectl {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final String program;
    private final Path kubeconfig;
    private final Path home;

    Kubectl(Tools tools, Layout layout) {
        program = tools.program("kubectl");
        kubeconfig = layout.kubeconfig();
        home = layout.settings();
    }

    /** What kubectl prints, if it is content. */
    public String run(String... arguments) {
        return tryTo(List.of(arguments), "").orThrow();
    }

    /** Applies a manifest. */
    public void apply(String manifest) {
        tryTo(List.of("apply", "--server-side", "--filename=-"), manifest).orThrow();
    }

    /** Makes a namespace in which pods can be made. */
    public void createNamespace(String name) {
        run("create", "namespace", name);
        awaitRoomForPods(name);
    }

    /** Waits for the account that a controller gives to a new namespace. Until then pods are refused. */
    void awaitRoomForPods(String namespace) {
        run("wait", "--namespace=" + namespace, "--for=create", "--timeout=120s", "serviceaccount/default");
    }

    public Result tryTo(List<String> arguments, String input) {
        var command = new ArrayList<>(List.of(program, "--kubeconfig=" + kubeconfig));
        command.addAll(arguments);
        // What it learns about the API, it keeps in the home directory: the cluster's, so that it goes with the
        // cluster.
        return Programs.run(LIMIT, command, Map.of("HOME", home.toString()), input);
    }
}
