package dev.stowage.array.nfs;

import dev.stowage.core.error.StowageException;
import dev.stowage.linux.command.CommandFailedException;
import dev.stowage.linux.command.Commands;
import dev.stowage.linux.effect.Effects;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A ganesha.nfsd that belongs to one array. It is a process of its own and outlives the array's, so that clients go on while the array
 * is down. What it serves is in a file that it reads when it is told to, and what came of that is only in its log.
 */
final class GaneshaServer {

    static final String PROGRAM = "ganesha.nfsd";

    private static final Logger log = LoggerFactory.getLogger(GaneshaServer.class);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** In looks for it. */
    private static final int LONGEST_ABSENCE = 100;

    private static final String STARTED = "NFS SERVER INITIALIZED";
    private static final String READ_AGAIN = "Reread exports complete";

    private final Path settings;
    private final Path messages;
    private final Path processFile;

    GaneshaServer(Path directory) {
        this.settings = directory.resolve("ganesha.conf");
        this.messages = directory.resolve("ganesha.log");
        this.processFile = directory.resolve("ganesha.pid");
    }

    boolean runs() {
        return process().isPresent();
    }

    /** Serves what the text says: started with it, or told to read it. */
    void serve(String text) {
        write(text);
        if (!runs()) {
            start();
            return;
        }
        var process = process().orElseThrow();
        long before = size();
        Commands.run(PATIENCE, "kill", "-HUP", Long.toString(process.pid())).orThrow();
        requireSuccess(await(before, READ_AGAIN));
    }

    /** Ends it whatever it does, and with it all that was in flight; then serves what the text says. */
    void serveAnew(String text) {
        stop();
        serve(text);
    }

    private void write(String text) {
        var next = settings.resolveSibling("ganesha.conf.new");
        Effects.run("nfs-settings", settings.toString(), () -> {
            try {
                Files.writeString(next, text);
                Files.move(next, settings, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } catch (IOException failure) {
                throw new UncheckedIOException("cannot write " + settings, failure);
            }
        });
    }

    private void start() {
        try {
            // It only ever grows while the server runs.
            Files.deleteIfExists(messages);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot remove " + messages, failure);
        }
        try {
            Commands.run(
                            PATIENCE,
                            PROGRAM,
                            "-f",
                            settings.toString(),
                            "-L",
                            messages.toString(),
                            "-p",
                            processFile.toString(),
                            "-N",
                            "NIV_EVENT")
                    .orThrow();
        } catch (CommandFailedException failure) {
            throw StowageException.unavailable(failure, "the NFS server cannot be started: %s", failure.getMessage());
        }
        requireSuccess(await(0, STARTED));
        log.info("the NFS server was started; its messages are in {}", messages);
    }

    private long size() {
        try {
            return Files.exists(messages) ? Files.size(messages) : 0;
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot look at " + messages, failure);
        }
    }

    /** What it has said since, as soon as it has said this. */
    private String await(long since, String wanted) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        int absent = 0;
        while (true) {
            // It goes to the background first, and only then is there a process to be found.
            absent = runs() ? 0 : absent + 1;
            var said = said(since);
            if (said.contains(wanted)) {
                return said.substring(0, said.indexOf(wanted));
            }
            if (absent > LONGEST_ABSENCE || System.nanoTime() > deadline) {
                throw StowageException.unavailable(
                        "the NFS server %s: %s; its address has to be one of this machine and its port free, and %s has more",
                        absent == 0 ? "does not get ready" : "ended", complaints(said), messages);
            }
            ShareMounts.pause();
        }
    }

    private String said(long since) {
        if (!Files.exists(messages)) {
            return "";
        }
        try (var in = Files.newInputStream(messages)) {
            in.skipNBytes(Math.min(since, size()));
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot read " + messages, failure);
        }
    }

    /** A share that it could not make is left out, and the others are served. */
    private void requireSuccess(String said) {
        if (said.contains("Could not create export")) {
            throw StowageException.unavailable("the NFS server refused a share: %s", complaints(said));
        }
    }

    private static String complaints(String said) {
        var found = said.lines()
                .filter(line -> line.contains(":FATAL :") || line.contains(":CRIT :") && !line.contains(":DBUS :"))
                .map(line -> line.substring(line.lastIndexOf(" :") + 2))
                .limit(3)
                .collect(Collectors.joining("; "));
        return found.isEmpty() ? "it did not say why" : found;
    }

    /** Ends it at once. When this returns it is gone, and so is whatever it was about to do. */
    void stop() {
        var process = process();
        if (process.isEmpty()) {
            return;
        }
        Effects.run("nfs-end", processFile.toString(), () -> process.get().destroyForcibly());
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (runs()) {
            if (System.nanoTime() > deadline) {
                throw StowageException.unavailable(
                        "the NFS server, process %d, does not end: its storage does not answer",
                        process.get().pid());
            }
            ShareMounts.pause();
        }
    }

    /** Its process, known by the file that it was started with: a number alone may have passed on to another. */
    private Optional<ProcessHandle> process() {
        try {
            long number = Long.parseLong(Files.readString(processFile).strip());
            var arguments = Files.readString(Path.of("/proc", Long.toString(number), "cmdline"));
            return arguments.contains(settings.toString()) ? ProcessHandle.of(number) : Optional.empty();
        } catch (IOException | NumberFormatException absent) {
            return Optional.empty();
        }
    }
}
