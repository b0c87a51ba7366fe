package dev.stowage.workbench.process;

import dev.stowage.workbench.WorkbenchException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs programs to their end. An argument is an argument: there is no shell that could read more into it. */
public final class Programs {

    /** How a program ended, with everything it said. */
    public record Result(List<String> arguments, int exitCode, String stdout, String stderr) {
        public Result {
            arguments = List.copyOf(arguments);
        }

        public boolean succeeded() {
            return exitCode == 0;
        }

        /** What it said on stdout, if it was content. */
        public String orThrow() {
            if (exitCode != 0) {
                var said = stderr.isBlank() ? stdout : stderr;
                throw new WorkbenchException("%s: exit code %d: %s"
                        .formatted(String.join(" ", arguments), exitCode, said.isBlank() ? "no output" : said.strip()));
            }
            return stdout;
        }
    }

    private Programs() {}

    public static Result run(Duration limit, String... arguments) {
        return run(limit, List.of(arguments), Map.of(), "");
    }

    public static Result run(Duration limit, List<String> arguments) {
        return run(limit, arguments, Map.of(), "");
    }

    /** Runs a program with these variables added to its environment and this text as its input. */
    public static Result run(Duration limit, List<String> arguments, Map<String, String> environment, String input) {
        var builder = new ProcessBuilder(arguments);
        builder.environment().putAll(environment);
        Process process;
        try {
            process = builder.start();
        } catch (IOException failure) {
            throw new WorkbenchException(
                    "cannot start %s: %s".formatted(arguments.getFirst(), failure.getMessage()), failure);
        }
        var stdout = new Drain(process.getInputStream());
        var stderr = new Drain(process.getErrorStream());
        try {
            feed(process, input);
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new WorkbenchException("%s: still running after %d s, and was ended: %s"
                        .formatted(String.join(" ", arguments), limit.toSeconds(), stderr.text()));
            }
            return new Result(arguments, process.exitValue(), stdout.finished(), stderr.finished());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new WorkbenchException(String.join(" ", arguments) + ": interrupted, and was ended", interrupted);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static void feed(Process process, String input) {
        try (var stdin = process.getOutputStream()) {
            stdin.write(input.getBytes(StandardCharsets.UTF_8));
        } catch (IOException unread) {
            // It ended without reading all of it. Its exit code tells whether that was wrong.
        }
    }

    /** Reads to the end, so that the program never waits for us. */
    private static final class Drain {
        private static final Duration PATIENCE = Duration.ofSeconds(5);

        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final Thread thread;

        Drain(InputStream stream) {
            thread = Thread.ofPlatform().daemon().name("program-output").start(() -> drain(stream));
        }

        /** A grandchild may hold the pipe open after the program itself ended, so the wait is bounded. */
        String finished() throws InterruptedException {
            thread.join(PATIENCE);
            return text();
        }

        String text() {
            synchronized (bytes) {
                return bytes.toString(StandardCharsets.UTF_8);
            }
        }

        private void drain(InputStream stream) {
            var buffer = new byte[8192];
            try (stream) {
                int count;
                while ((count = stream.read(buffer)) > 0) {
                    synchronized (bytes) {
                        bytes.write(buffer, 0, count);
                    }
                }
            } catch (IOException ended) {
                // The program was ended by us. What it had said until then is kept.
            }
        }
    }
}
