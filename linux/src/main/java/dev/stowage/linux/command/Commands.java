package dev.stowage.linux.command;

import dev.stowage.linux.effect.Effects;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs programs: an argument list and never a shell, no input, bounded output, bounded time. */
public final class Commands {

    private static final File NOTHING = new File("/dev/null");
    private static final int KEPT = 16 * 1024;
    private static final Map<String, String> PACKAGES = Map.of(
            "mkfs.ext4", "e2fsprogs",
            "resize2fs", "e2fsprogs",
            "e2fsck", "e2fsprogs",
            "tune2fs", "e2fsprogs",
            "mkfs.xfs", "xfsprogs",
            "xfs_growfs", "xfsprogs",
            "mkfs.btrfs", "btrfs-progs",
            "btrfs", "btrfs-progs",
            "btrfstune", "btrfs-progs");

    private Commands() {}

    public record Result(List<String> arguments, int exitCode, String stdout, String stderr) {

        public Result {
            arguments = List.copyOf(arguments);
        }

        public Result orThrow() {
            if (exitCode == 0) {
                return this;
            }
            String said = stderr.isBlank() ? stdout.strip() : stderr.strip();
            throw new CommandFailedException("'" + String.join(" ", arguments) + "' failed with exit code " + exitCode
                    + (said.isEmpty() ? "" : ": " + said.replace('\n', ' ')));
        }
    }

    /** Runs a program that changes something. */
    public static Result run(Duration limit, List<String> arguments) {
        return Effects.perform("command", String.join(" ", arguments), () -> query(limit, arguments));
    }

    public static Result run(Duration limit, String... arguments) {
        return run(limit, List.of(arguments));
    }

    /** Runs a program that only looks. */
    public static Result query(Duration limit, List<String> arguments) {
        var builder = new ProcessBuilder(arguments).redirectInput(ProcessBuilder.Redirect.from(NOTHING));
        builder.environment().clear();
        builder.environment().put("LC_ALL", "C");
        builder.environment().put("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
        Process process = start(builder, arguments);
        var output = new Tail(process.getInputStream());
        var errors = new Tail(process.getErrorStream());
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new CommandFailedException("'" + String.join(" ", arguments) + "' did not end within "
                        + limit.toSeconds() + " s and was stopped");
            }
            return new Result(arguments, process.exitValue(), output.text(), errors.text());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CommandFailedException("'" + String.join(" ", arguments) + "' was interrupted");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    public static Result query(Duration limit, String... arguments) {
        return query(limit, List.of(arguments));
    }

    private static Process start(ProcessBuilder builder, List<String> arguments) {
        try {
            return builder.start();
        } catch (IOException failure) {
            String program = arguments.getFirst();
            String where = PACKAGES.get(program);
            throw new CommandFailedException("'" + program + "' cannot be started: "
                    + (where == null ? failure.getMessage() : "install the package " + where));
        }
    }

    /** Reads a stream to its end on a thread of its own, so that the program never waits for us, and keeps the last part. */
    private static final class Tail {
        private final Thread reader;
        private byte[] kept = new byte[0];

        Tail(InputStream stream) {
            reader = Thread.ofPlatform().daemon().name("command-output").start(() -> read(stream));
        }

        private void read(InputStream stream) {
            byte[] chunk = new byte[KEPT];
            try (stream) {
                for (int got = stream.read(chunk); got >= 0; got = stream.read(chunk)) {
                    byte[] all = new byte[kept.length + got];
                    System.arraycopy(kept, 0, all, 0, kept.length);
                    System.arraycopy(chunk, 0, all, kept.length, got);
                    int from = Math.max(0, all.length - KEPT);
                    kept = Arrays.copyOfRange(all, from, all.length);
                }
            } catch (IOException ended) {
                // The program was stopped; what it said so far is what there is.
            }
        }

        String text() throws InterruptedException {
            reader.join(TimeUnit.SECONDS.toMillis(5));
            return new String(kept, StandardCharsets.UTF_8);
        }
    }
}
