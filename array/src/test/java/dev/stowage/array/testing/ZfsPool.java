package dev.stowage.array.testing;

import dev.stowage.linux.command.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/** A pool of ZFS in a file. Where no kernel module serves ZFS, the process that does is started for it. */
public final class ZfsPool implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final Path directory;
    private final String name = "stowage-" + UUID.randomUUID().toString().substring(0, 8);
    private final Optional<Process> server;

    public ZfsPool() throws IOException {
        directory = Files.createTempDirectory("stowage-zfs-").toRealPath();
        server = served() ? Optional.empty() : Optional.of(serve());
        var disk = directory.resolve("disk").toString();
        run("truncate", "--size=3G", disk);
        run(
                "zpool",
                "create",
                "-o",
                "cachefile=none",
                "-m",
                directory.resolve("mount").toString(),
                name,
                disk);
    }

    private static boolean served() {
        return Commands.query(LIMIT, "zpool", "list").exitCode() == 0;
    }

    private Process serve() throws IOException {
        var process = new ProcessBuilder("zfs-fuse", "--no-daemon", "--no-kstat-mount")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("zfs-fuse.log").toFile())
                .start();
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!served()) {
            if (!process.isAlive() || System.nanoTime() > end) {
                process.destroyForcibly();
                throw new IOException(
                        "zfs-fuse does not serve: " + Files.readString(directory.resolve("zfs-fuse.log")));
            }
            try {
                Thread.sleep(50);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IOException(interrupted);
            }
        }
        return process;
    }

    public String dataset() {
        return name;
    }

    /** Everything in the pool, a line each. */
    public String content() {
        return Commands.query(LIMIT, "zfs", "list", "-H", "-o", "name", "-t", "all", "-r", name)
                .orThrow()
                .stdout();
    }

    private static void run(String... command) {
        Commands.run(LIMIT, command).orThrow();
    }

    @Override
    public void close() throws IOException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (Commands.run(LIMIT, "zpool", "destroy", "-f", name).exitCode() != 0) {
            if (System.nanoTime() > end) {
                throw new IOException("pool " + name + " cannot be destroyed");
            }
        }
        server.ifPresent(process -> {
            process.destroy();
            process.onExit().join();
        });
        run("rm", "-r", directory.toString());
    }
}
