package dev.stowage.cli.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** This program's own driver, started as anybody would start it. */
final class Ours extends DriverUnderTest {

    private static final String OVERCOMMIT = "100";
    private static final String ATTACH_LIMIT = "4096";
    private static final int PAGE = 500;

    private final List<String> command;

    private Ours(String label, Path home, List<String> command) throws IOException {
        super(label, home);
        this.command = command;
    }

    /** A driver for everything on a pool of its own, which is an image where the directory cannot share blocks. */
    static Ours all(String label, Path home, Path launcher, boolean image, String imageSize) throws IOException {
        var command = start(launcher, home, "all");
        command.addAll(List.of("--overcommit", OVERCOMMIT, "--attach-limit", ATTACH_LIMIT));
        if (image) {
            command.addAll(List.of("--pool-image", imageSize));
        }
        return new Ours(label, home, command);
    }

    /** The whole node pod in one process: it registers itself, and serves health and metrics. */
    static Ours node(String label, Path home, Path launcher, int httpPort) throws IOException {
        var registration = home.resolve("registration");
        Files.createDirectories(registration);
        var command = start(launcher, home, "node");
        command.addAll(
                List.of("--http", "127.0.0.1:" + httpPort, "--kubelet-registration-dir", registration.toString()));
        return new Ours(label, home, command);
    }

    private static ArrayList<String> start(Path launcher, Path home, String role) throws IOException {
        var pool = home.resolve("pool");
        Files.createDirectories(pool);
        return new ArrayList<>(List.of(
                launcher.toString(),
                "driver",
                "--backend",
                "local",
                "--role",
                role,
                "--endpoint",
                "unix://" + home.resolve("csi.sock"),
                "--node-id",
                NODE,
                "--pool",
                pool.toString()));
    }

    @Override
    List<String> command() {
        return command;
    }

    @Override
    int pageSize() {
        return PAGE;
    }
}
