package dev.stowage.conformance.sidecar;

import dev.stowage.conformance.harness.Spawning;
import dev.stowage.conformance.harness.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** A sidecar, or any other program of a test, as a process of its own whose words are kept in a file. */
public final class RunningSidecar implements AutoCloseable {

    private static final Pattern PORT = Pattern.compile("on port ([0-9]+)");

    private final Process process;
    private final Path log;

    private RunningSidecar(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Starts {@code stowage sidecar} with these arguments. */
    public static RunningSidecar start(Workspace workspace, String name, String... arguments) {
        return start(workspace, name, Map.of(), arguments);
    }

    static RunningSidecar start(
            Workspace workspace, String name, Map<String, String> environment, String... arguments) {
        var command = new ArrayList<>(
                List.of(Path.of(environment("STOWAGE_HOME"), "stowage").toString(), "sidecar"));
        command.addAll(List.of(arguments));
        return startProgram(workspace, name, environment, command);
    }

    /** Starts the reference driver on a socket. */
    public static RunningSidecar startReferenceDriver(Workspace workspace, Path socket, String... arguments) {
        var command = new ArrayList<>(List.of(
                environment("STOWAGE_HOSTPATH"),
                "--drivername=hostpath.csi.k8s.io",
                "--endpoint=unix://" + socket,
                "--nodeid=node-1",
                "--statedir=" + workspace.directory("hostpath-state")));
        command.addAll(List.of(arguments));
        return startProgram(workspace, "hostpath", Map.of(), command);
    }

    static RunningSidecar startProgram(
            Workspace workspace, String name, Map<String, String> environment, List<String> command) {
        Path log = workspace.root().resolve(name + ".log");
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("STOWAGE_NO_BUILD", "1");
        builder.environment().putAll(environment);
        try {
            return new RunningSidecar(Spawning.start(builder), log);
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }

    static String environment(String name) {
        String value = System.getenv(name);
        if (value == null) {
            throw new IllegalStateException(name + " is not set; run the tests with ./stowage test");
        }
        return value;
    }

    Process process() {
        return process;
    }

    String log() {
        try {
            return Files.readString(log);
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** The port that it says it serves on. */
    public int port() {
        var said = PORT.matcher(log());
        if (!said.find()) {
            throw new AssertionError("no port was told yet:\n" + log());
        }
        return Integer.parseInt(said.group(1));
    }

    /** Ends the process as a crash would. */
    void kill() {
        process.destroyForcibly();
        exitCode();
    }

    /** Ends the process as an orchestrator would. */
    int stop() {
        process.destroy();
        return exitCode();
    }

    /** Waits for the end. */
    int exitCode() {
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("it did not end:\n" + log());
            }
            return process.exitValue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            stop();
        }
    }
}
