package dev.stowage.cli.bench.arrays;

import dev.stowage.cli.bench.Ending;
import dev.stowage.cli.bench.Memory;
import dev.stowage.cli.bench.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process that takes part, with its log in the run's directory. */
final class Part implements Ending {

    private static final Duration STOP = Duration.ofSeconds(60);
    private static final int LAST_LINES = 15;
    /** What the kernel counts processor time in, whatever its own clock. */
    private static final long TICKS_PER_SECOND = 100;

    private final String name;
    private final Path log;
    private final Process process;

    private Part(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
    }

    static Part start(Workspace workspace, String name, List<String> command) throws IOException {
        Path log = workspace.directory().resolve(name + ".log");
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .redirectInput(Path.of("/dev/null").toFile());
        builder.environment().put("STOWAGE_NO_BUILD", "1");
        return workspace.start(() -> new Part(name, log, builder.start()));
    }

    /** Waits until something can be done with it. */
    void await(Duration patience, Check ready) throws IOException, InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (!ready.holds()) {
            if (!process.isAlive() || System.nanoTime() - end > 0) {
                throw new IOException(name + " did not start; its log ends with:\n" + lastWords());
            }
            Thread.sleep(50);
        }
    }

    /** Something that becomes true. */
    interface Check {
        boolean holds() throws IOException, InterruptedException;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    Memory memory() throws IOException {
        return Memory.of(process.pid());
    }

    /** How long processors have worked for it since it began. */
    Duration processorTime() throws IOException {
        return processorTime(process.pid());
    }

    static Duration processorTime(long pid) throws IOException {
        String line = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        // The name, which is in parentheses, may have spaces; times of user and system are the 12th and 13th after it.
        var fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
        long ticks = Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
        return Duration.ofMillis(ticks * 1000 / TICKS_PER_SECOND);
    }

    String lastWords() throws IOException {
        var lines = Files.readAllLines(log);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    }

    /** Asks it to end; {@link #end} waits until it has. */
    void askToEnd() {
        process.destroy();
    }

    @Override
    public void end() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(STOP.toSeconds(), TimeUnit.SECONDS)) {
            System.err.printf(
                    "stowage: %s, process %d, did not end within %d s and is killed%n",
                    name, process.pid(), STOP.toSeconds());
            process.destroyForcibly().waitFor();
        }
    }
}
