package dev.stowage.conformance.cluster;

import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Spawning;
import dev.stowage.conformance.harness.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One process of ours in a cluster, and a connection to it. */
public record Member(String name, Process process, CsiClient csi, Path log) {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** Starts a driver that talks to the API server, and waits until it can serve. */
    public static Member launch(Workspace workspace, ControlPlane plane, String name, List<String> arguments) {
        var command = new ArrayList<>(List.of(
                Path.of(System.getenv("STOWAGE_HOME"), "stowage").toString(),
                "driver",
                "--endpoint",
                "unix://" + socket(workspace, name),
                "--kubeconfig",
                plane.kubeconfig().toString(),
                "--namespace",
                "default"));
        command.addAll(arguments);
        Path log = workspace.root().resolve(name + ".log");
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("STOWAGE_NO_BUILD", "1");
        try {
            var process = Spawning.start(builder);
            var csi = CsiClient.connect(socket(workspace, name));
            var member = new Member(name, process, csi, log);
            if (!csi.awaitReady(PATIENCE, process::isAlive)) {
                member.kill();
                throw new IllegalStateException(name + " did not start:\n" + Files.readString(log));
            }
            return member;
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    static Path socket(Workspace workspace, String name) {
        return workspace.root().resolve(name + ".sock");
    }

    public void kill() {
        csi.close();
        process.destroyForcibly();
        await();
    }

    public void stop() {
        csi.close();
        process.destroy();
        await();
    }

    private void await() {
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException(name + " did not end; its log is " + log);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
