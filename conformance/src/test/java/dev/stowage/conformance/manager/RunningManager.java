package dev.stowage.conformance.manager;

import dev.stowage.conformance.citizen.Http;
import dev.stowage.conformance.cluster.ControlPlane;
import dev.stowage.conformance.harness.Spawning;
import dev.stowage.conformance.harness.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** A manager as a process outside of the cluster, which may do what the chart lets it and nothing else. */
public final class RunningManager implements AutoCloseable {

    private static final Pattern PORT = Pattern.compile("health and metrics are served on port ([0-9]+)");

    private final Process process;
    private final Path log;

    public RunningManager(Workspace workspace, ControlPlane plane, String name, String... more) {
        this(workspace, kubeconfig(workspace, plane, name, more), name, more);
    }

    /** @param kubeconfig by which it reaches the API server */
    RunningManager(Workspace workspace, Path kubeconfig, String name, String... more) {
        this(workspace.root().resolve(name + ".log"), kubeconfig, options(more));
    }

    /** One that is told nothing but how to reach the API server. */
    static RunningManager withoutOptions(Workspace workspace, ControlPlane plane, String name) {
        return new RunningManager(
                workspace.root().resolve(name + ".log"), kubeconfig(workspace, plane, name), List.of());
    }

    private static List<String> options(String... more) {
        var options = new ArrayList<>(List.of(
                "--namespace",
                "default",
                "--image",
                "stowage:test",
                "--provisioner-image",
                "provisioner:test",
                "--resizer-image",
                "resizer:test",
                "--snapshotter-image",
                "snapshotter:test",
                "--http-address",
                "127.0.0.1:0"));
        options.addAll(List.of(more));
        return options;
    }

    private RunningManager(Path log, Path kubeconfig, List<String> options) {
        this.log = log;
        var command = new ArrayList<>(List.of(
                Path.of(System.getenv("STOWAGE_HOME"), "stowage").toString(),
                "manager",
                "--kubeconfig",
                kubeconfig.toString()));
        command.addAll(options);
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("STOWAGE_NO_BUILD", "1");
        try {
            process = Spawning.start(builder);
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** The way of whoever may do what the chart allows. */
    static Path kubeconfig(Workspace workspace, ControlPlane plane, String name, String... more) {
        return ChartAccount.of(plane, List.of(more)).kubeconfig(workspace.root().resolve(name + ".kubeconfig"));
    }

    public boolean running() {
        return process.isAlive();
    }

    /** Whether it is the one that works. */
    public boolean leads() {
        return log().contains(" leads by the lease ");
    }

    long pid() {
        return process.pid();
    }

    public String log() {
        try {
            return Files.readString(log);
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** Its pages, as soon as it says where they are. */
    Http http() {
        var port = PORT.matcher(log());
        if (!port.find()) {
            throw new IllegalStateException("the manager serves nothing yet: " + log());
        }
        return new Http(Integer.parseInt(port.group(1)));
    }

    public Figures figures() {
        return Figures.read(http().get("/metrics").body());
    }

    /** Without a goodbye. */
    void kill() {
        process.destroyForcibly();
        await();
    }

    @Override
    public void close() {
        process.destroy();
        await();
    }

    private void await() {
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("the manager did not end");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
