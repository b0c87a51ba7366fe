package dev.stowage.conformance.harness;

import dev.stowage.cli.client.CsiClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The real driver, started through the launcher as a process of its own, with a connected client. */
public final class RunningDriver implements AutoCloseable {

    public static final String NODE = "node-1";
    private static final Duration START = Duration.ofSeconds(60);

    private final Process process;
    private final CsiClient client;
    private final Path log;

    private RunningDriver(Process process, CsiClient client, Path log) {
        this.process = process;
        this.client = client;
        this.log = log;
    }

    /** How a driver is started; every part has a default that suits most tests. */
    public static final class Options {
        private final Workspace workspace;
        private final List<String> arguments = new ArrayList<>();
        private final Map<String, String> environment = new HashMap<>();
        private Path pool;
        private Path socket;
        private String role = "all";
        private String overcommit = "100";

        private Options(Workspace workspace) {
            this.workspace = workspace;
            this.pool = workspace.root().resolve("pool");
            this.socket = workspace.root().resolve("csi.sock");
        }

        /** A pool in an image that can share blocks. */
        public Options sharingBlocks(String size) {
            return with("--pool-image", size);
        }

        public Options pool(Path directoryOrDisk) {
            pool = directoryOrDisk;
            return this;
        }

        public Options socket(Path path) {
            socket = path;
            return this;
        }

        public Options role(String name) {
            role = name;
            return this;
        }

        public Options overcommit(String factor) {
            overcommit = factor;
            return this;
        }

        public Options with(String... more) {
            arguments.addAll(List.of(more));
            return this;
        }

        public Options environment(String name, String value) {
            environment.put(name, value);
            return this;
        }

        public Path socket() {
            return socket;
        }

        public Path log() {
            return workspace.root().resolve("driver.log");
        }

        /** Starts the process and does not wait for it. */
        public Process launch() {
            var command = new ArrayList<>(List.of(
                    Path.of(home(), "stowage").toString(),
                    "driver",
                    "--backend",
                    "local",
                    "--role",
                    role,
                    "--endpoint",
                    "unix://" + socket,
                    "--node-id",
                    NODE,
                    "--pool",
                    pool.toString(),
                    "--overcommit",
                    overcommit));
            command.addAll(arguments);
            var builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
            builder.environment().put("STOWAGE_NO_BUILD", "1");
            builder.environment().putAll(environment);
            try {
                return Spawning.start(builder);
            } catch (IOException failure) {
                throw new IllegalStateException(failure);
            }
        }

        /** Starts the driver and waits until it answers. */
        public RunningDriver start() {
            var process = launch();
            var client = CsiClient.connect(socket);
            var driver = new RunningDriver(process, client, log());
            try {
                if (!client.awaitReady(START, process::isAlive)) {
                    driver.kill();
                    throw new IllegalStateException("the driver did not start:\n" + driver.log());
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(interrupted);
            }
            return driver;
        }

        private static String home() {
            String home = System.getenv("STOWAGE_HOME");
            if (home == null) {
                throw new IllegalStateException("STOWAGE_HOME is not set; run the tests with ./stowage test");
            }
            return home;
        }
    }

    public static Options in(Workspace workspace) {
        return new Options(workspace);
    }

    public CsiClient csi() {
        return client;
    }

    public Process process() {
        return process;
    }

    public String log() {
        try {
            return Files.readString(log);
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Ends the process as a crash would. */
    public void kill() {
        client.close();
        process.destroyForcibly();
        await();
    }

    /** Ends the process as an orchestrator would, and returns its exit code. */
    public int stop() {
        client.close();
        process.destroy();
        await();
        return process.exitValue();
    }

    /** Waits for an end that somebody else brought about. */
    public void await() {
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("the driver did not end:\n" + log());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            stop();
        } else {
            client.close();
        }
    }
}
