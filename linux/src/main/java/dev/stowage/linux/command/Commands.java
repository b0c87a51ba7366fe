package dev.stowage.linux.command;

import dev.stowage.linux.effect.Effects;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs programs. An argument is an argument: there is no shell that could read more into it. */
public final class Commands {
    private static final String SEARCH_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    private static final int KEPT_BYTES = 16 * 1024;
    private static final Duration PATIENCE_AFTER_KILL = Duration.ofSeconds(5);
    private static final Map<String, String> PACKAGES = Map.ofEntries(
            Map.entry("mkfs.xfs", "xfsprogs"),
            Map.entry("xfs_growfs", "xfsprogs"),
            Map.entry("xfs_admin", "xfsprogs"),
            Map.entry("mkfs.btrfs", "btrfs-progs"),
            Map.entry("btrfs", "btrfs-progs"),
            Map.entry("btrfstune", "btrfs-progs"),
            Map.entry("mkfs.ext4", "e2fsprogs"),
            Map.entry("resize2fs", "e2fsprogs"),
            Map.entry("tune2fs", "e2fsprogs"),
            Map.entry("mount", "mount"),
            Map.entry("losetup", "mount"),
            Map.entry("dmsetup", "dmsetup"),
            Map.entry("tgtd", "tgt"),
            Map.entry("iscsiadm", "open-iscsi"),
            Map.entry("multipath", "multipath-tools"),
            Map.entry("multipathd", "multipath-tools"),
            Map.entry("iscsi-inq", "libiscsi-bin"),
            Map.entry("qemu-storage-daemon", "qemu-system-common"));

    /** How a program ended. Of long output only the end is kept. */
    public record Result(List<String> arguments, int exitCode, String stdout, String stderr) {
        public Result {
            arguments = List.copyOf(arguments);
        }

        /** This result, if the program was content. */
        public Result orThrow() {
            if (exitCode != 0) {
                var said = stderr.isBlank() ? stdout : stderr;
                throw new CommandFailedException("%s: exit code %d%s"
                        .formatted(
                                String.join(" ", arguments),
                                exitCode,
                                said.isBlank() ? " and no output" : ": " + lastLines(said)));
            }
            return this;
        }
    }

    private Commands() {}

    /** Runs a program that changes something. */
    public static Result run(Duration limit, List<String> arguments) {
        return Effects.perform("command", String.join(" ", arguments), () -> query(limit, arguments));
    }

    /** Runs a program that changes something. */
    public static Result run(Duration limit, String... arguments) {
        return run(limit, List.of(arguments));
    }

    /**
     * Runs a program that changes a device.
     *
     * <p>The program has the device open, as its input, from its first moment on. So a program that outlives this process can be
     * seen to be at work on the device, and the device's name cannot pass on to another device before the program opens it.
     */
    public static Result run(Duration limit, Path device, List<String> arguments) {
        return Effects.perform(
                "command",
                String.join(" ", arguments),
                () -> await(limit, arguments, start(arguments, Redirect.from(device.toFile()))));
    }

    /** Runs a program that only reads. */
    public static Result query(Duration limit, String... arguments) {
        return query(limit, List.of(arguments));
    }

    /** Runs a program that only reads. */
    public static Result query(Duration limit, List<String> arguments) {
        return await(limit, arguments, start(arguments, Redirect.PIPE));
    }

    /** Runs a program that only reads. Its environment is for what others must not see: its arguments everybody can read. */
    public static Result query(Duration limit, Map<String, String> environment, List<String> arguments) {
        return await(limit, arguments, start(builder(arguments, environment)));
    }

    /**
     * Starts a program that is to go on when this process ends.
     *
     * @param input what it reads, such as a secret; its arguments everybody can read
     * @param output the file that takes all it says
     */
    public static Process startDaemon(List<String> arguments, String input, Path output) {
        return Effects.perform("start-daemon", String.join(" ", arguments), () -> {
            var detached = new ArrayList<>(List.of("setsid"));
            detached.addAll(arguments);
            var builder =
                    builder(detached, Map.of()).redirectErrorStream(true).redirectOutput(Redirect.to(output.toFile()));
            var process = start(builder);
            try (var stream = process.getOutputStream()) {
                stream.write(input.getBytes(StandardCharsets.UTF_8));
            } catch (IOException ignored) {
                // It ended without reading. That it ended is what its starter will see.
            }
            return process;
        });
    }

    private static Result await(Duration limit, List<String> arguments, Process process) {
        try {
            process.getOutputStream().close();
        } catch (IOException ignored) {
            // It had ended already and wanted no input.
        }
        var stdout = new Drain(process.getInputStream());
        var stderr = new Drain(process.getErrorStream());
        try {
            if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                killTree(process);
                throw new CommandFailedException("%s: still running after %d ms, and was ended%s"
                        .formatted(String.join(" ", arguments), limit.toMillis(), said(stderr)));
            }
            // A grandchild may hold the pipes open after the program itself ended.
            return new Result(
                    arguments, process.exitValue(), stdout.text(PATIENCE_AFTER_KILL), stderr.text(PATIENCE_AFTER_KILL));
        } catch (InterruptedException interrupted) {
            killTree(process);
            Thread.currentThread().interrupt();
            throw new CommandFailedException(String.join(" ", arguments) + ": interrupted, and was ended");
        }
    }

    private static Process start(List<String> arguments, Redirect input) {
        return start(builder(arguments, Map.of()).redirectInput(input));
    }

    private static ProcessBuilder builder(List<String> arguments, Map<String, String> more) {
        var builder = new ProcessBuilder(arguments);
        var environment = builder.environment();
        environment.clear();
        environment.put("PATH", SEARCH_PATH);
        environment.put("LC_ALL", "C");
        environment.putAll(more);
        return builder;
    }

    private static Process start(ProcessBuilder builder) {
        try {
            return builder.start();
        } catch (IOException failure) {
            var program = builder.command().getFirst();
            var name = program.substring(program.lastIndexOf('/') + 1);
            var source = PACKAGES.get(name);
            throw new CommandFailedException("cannot start %s: %s%s"
                    .formatted(
                            program,
                            failure.getMessage(),
                            source == null ? "" : "; it is in the Debian package " + source));
        }
    }

    private static void killTree(Process process) {
        // Children first: once the parent is gone they are no longer found through it.
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private static String said(Drain stderr) throws InterruptedException {
        var text = stderr.text(PATIENCE_AFTER_KILL);
        return text.isBlank() ? "" : ": " + lastLines(text);
    }

    private static String lastLines(String text) {
        var lines = text.strip().lines().toList();
        return String.join("; ", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
    }

    /** Reads to the end, so that the program never waits for us, and keeps the last part. */
    private static final class Drain {
        private final byte[] ring = new byte[KEPT_BYTES];
        private final Thread thread;
        private long total;

        Drain(InputStream stream) {
            // Not a virtual thread: a program that hangs must not hold a carrier.
            thread = Thread.ofPlatform().daemon().name("command-output").start(() -> drain(stream));
        }

        String text(Duration patience) throws InterruptedException {
            thread.join(patience);
            synchronized (ring) {
                if (total <= ring.length) {
                    return new String(ring, 0, (int) total, StandardCharsets.UTF_8);
                }
                var split = (int) (total % ring.length);
                var whole = new byte[ring.length];
                System.arraycopy(ring, split, whole, 0, ring.length - split);
                System.arraycopy(ring, 0, whole, ring.length - split, split);
                return new String(whole, StandardCharsets.UTF_8);
            }
        }

        private void drain(InputStream stream) {
            var buffer = new byte[4096];
            try (stream) {
                int count;
                while ((count = stream.read(buffer)) > 0) {
                    synchronized (ring) {
                        for (int i = 0; i < count; i++) {
                            ring[(int) (total++ % ring.length)] = buffer[i];
                        }
                    }
                }
            } catch (IOException ended) {
                // The program was ended by us. What it had said until then is kept.
            }
        }
    }
}
