package dev.stowage.workbench.process;

import dev.stowage.workbench.WorkbenchException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Processes that go on when this one ends. Who they are is on record in a directory, and every one of them carries a mark in its
 * environment, so that even one whose start was not recorded any more is found.
 */
public final class Daemons {
    private static final String MARK = "STOWAGE_CLUSTER_STATE";
    private static final Duration UNTIL_KILLED = Duration.ofSeconds(10);

    private final Path records;
    private final Path logs;
    private final String mark;

    /** The daemons that belong to a directory, with their records and logs in it. */
    public Daemons(Path state) {
        records = state.resolve("processes");
        logs = state.resolve("logs");
        mark = MARK + "=" + state;
    }

    public Path log(String name) {
        return logs.resolve(name + ".log");
    }

    /** Starts a daemon unless it is running. */
    public ProcessIdentity ensure(String name, Map<String, String> environment, List<String> command) {
        return find(name).orElseGet(() -> start(name, environment, command));
    }

    private ProcessIdentity start(String name, Map<String, String> environment, List<String> command) {
        var inItsOwnSession = new ArrayList<>(List.of("setsid"));
        inItsOwnSession.addAll(command);
        try {
            Files.createDirectories(records);
            Files.createDirectories(logs);
            var log = Redirect.appendTo(log(name).toFile());
            var builder = new ProcessBuilder(inItsOwnSession)
                    .directory(new File("/"))
                    .redirectInput(new File("/dev/null"))
                    .redirectOutput(log)
                    .redirectError(log);
            builder.environment().putAll(environment);
            builder.environment().put(MARK, mark.substring(MARK.length() + 1));
            var identity = ProcessIdentity.of(builder.start().pid());
            if (identity.isEmpty()) {
                throw new WorkbenchException(name + " ended as soon as it was started: " + lastWords(name));
            }
            Files.writeString(records.resolve(name), identity.get().toString());
            return identity.get();
        } catch (IOException failure) {
            throw new WorkbenchException("cannot start %s: %s".formatted(name, failure.getMessage()), failure);
        }
    }

    /** The running daemon of this name. */
    public Optional<ProcessIdentity> find(String name) {
        try {
            var record = records.resolve(name);
            return Files.exists(record)
                    ? ProcessIdentity.parse(Files.readString(record)).filter(ProcessIdentity::alive)
                    : Optional.empty();
        } catch (IOException failure) {
            throw new UncheckedIOException("the record of the process " + name + " cannot be read", failure);
        }
    }

    /** Ends a daemon, kindly at first, and waits until it is gone. */
    public void stop(String name) {
        find(name).ifPresent(identity -> {
            identity.terminate();
            if (!gone(identity, UNTIL_KILLED)) {
                identity.kill();
                awaitEnd(name, identity);
            }
        });
    }

    /** Ends a daemon at once and waits until it is gone. */
    public void kill(String name) {
        find(name).ifPresent(identity -> {
            identity.kill();
            awaitEnd(name, identity);
        });
    }

    /** Every process on the machine that carries the mark, recorded or not. */
    public List<ProcessIdentity> marked() {
        var found = new ArrayList<ProcessIdentity>();
        try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                if (carriesTheMark(process)) {
                    ProcessIdentity.of(Long.parseLong(process.getFileName().toString()))
                            .ifPresent(found::add);
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("the list of processes cannot be read", failure);
        }
        return found;
    }

    private boolean carriesTheMark(Path process) {
        try {
            var environment = Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1);
            return List.of(environment.split("\0")).contains(mark);
        } catch (IOException gone) {
            return false;
        }
    }

    /** The end of a daemon's log, for a message about it. */
    public String lastWords(String name) {
        try {
            var lines =
                    Files.exists(log(name)) ? Files.readAllLines(log(name), StandardCharsets.ISO_8859_1) : List.of("");
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
        } catch (IOException failure) {
            return "its log cannot be read: " + failure.getMessage();
        }
    }

    private static void awaitEnd(String name, ProcessIdentity identity) {
        if (!gone(identity, UNTIL_KILLED)) {
            throw new WorkbenchException(
                    "%s, process %d, was killed and is still there after %d s; the kernel may be holding it"
                            .formatted(name, identity.pid(), UNTIL_KILLED.toSeconds()));
        }
    }

    private static boolean gone(ProcessIdentity identity, Duration patience) {
        return Waiting.until(patience, () -> !identity.alive());
    }
}
