package dev.stowage.clustertests;

import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.cluster.Kubectl;
import dev.stowage.workbench.process.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A namespace for one test, gone with everything in it at the end. */
public final class TestNamespace implements AutoCloseable {
    private final Kubectl kubectl;
    private final String name;

    public TestNamespace(Cluster cluster) {
        kubectl = cluster.kubectl();
        name = "test-" + UUID.randomUUID().toString().substring(0, 8);
        kubectl.createNamespace(name);
    }

    public String name() {
        return name;
    }

    public void apply(String manifest) {
        kubectl.tryTo(List.of("--namespace=" + name, "apply", "--server-side", "--filename=-"), manifest)
                .orThrow();
    }

    public String kubectl(String... arguments) {
        var all = new ArrayList<>(List.of("--namespace=" + name));
        all.addAll(List.of(arguments));
        return kubectl.tryTo(all, "").orThrow();
    }

    /** Runs a program in a pod, as soon as the kubelet knows the pod. */
    public void awaitExec(String pod, String program) {
        var command = List.of("--namespace=" + name, "exec", pod, "--", program);
        if (!Waiting.until(
                Duration.ofMinutes(3), () -> kubectl.tryTo(command, "").succeeded())) {
            kubectl.tryTo(command, "").orThrow();
        }
    }

    @Override
    public void close() {
        kubectl.run("delete", "namespace", name, "--ignore-not-found", "--timeout=180s");
    }
}
