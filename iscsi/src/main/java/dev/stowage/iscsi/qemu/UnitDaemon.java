package dev.stowage.iscsi.qemu;

import dev.stowage.core.error.StowageException;
import dev.stowage.iscsi.Iqn;
import dev.stowage.iscsi.IscsiUnit;
import dev.stowage.iscsi.Portal;
import dev.stowage.iscsi.qemu.wire.UnitState;
import dev.stowage.linux.command.Commands;
import dev.stowage.linux.effect.Effects;
import dev.stowage.linux.mount.Mounts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The storage daemon of one unit, found again by what it left in its directory. */
final class UnitDaemon {

    private static final Logger log = LoggerFactory.getLogger(UnitDaemon.class);
    private static final Duration START = Duration.ofSeconds(30);
    private static final Duration FAREWELL = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofMillis(5);
    private static final String NODE = "unit";
    private static final String STATE = "state";
    private static final List<String> FILES = List.of("disk", "monitor", "pid", "log", STATE);

    private final Path directory;

    UnitDaemon(Path directory) {
        this.directory = directory;
    }

    Path disk() {
        return directory.resolve("disk");
    }

    String key() {
        return String.valueOf(directory.getFileName());
    }

    /** What it was started for; empty if that was interrupted before it mattered. */
    Optional<UnitState> recorded() {
        try {
            return Optional.of(UnitState.parseFrom(Files.readAllBytes(directory.resolve(STATE))));
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    /** Its process, if it runs. A number alone would not do: it may have passed on to a stranger. */
    Optional<ProcessHandle> process() {
        try {
            long number =
                    Long.parseLong(Files.readString(directory.resolve("pid")).strip());
            var arguments = Files.readString(Path.of("/proc/" + number + "/cmdline"));
            return arguments.contains(directory.resolve("monitor").toString())
                    ? ProcessHandle.of(number).filter(ProcessHandle::isAlive)
                    : Optional.empty();
        } catch (IOException | NumberFormatException gone) {
            return Optional.empty();
        }
    }

    /** Starts it, and returns when the unit can be read and written. */
    void start(Iqn initiator, IscsiUnit unit, Portal portal, UnitState state) {
        try {
            Files.createDirectories(directory);
            Files.write(directory.resolve(STATE), state.toByteArray());
            Files.write(disk(), new byte[0]);
            var process = Commands.startDaemon(
                    UnitCommand.of(directory, NODE, initiator, unit, portal, state.getReadOnly()),
                    unit.chap().map(chap -> chap.initiator().password()).orElse(""),
                    directory.resolve("log"));
            await(process, unit);
        } catch (IOException failure) {
            throw StowageException.internal(
                    failure,
                    "the storage daemon for %s cannot have its files in %s (%s)",
                    unit.address(),
                    directory,
                    failure.getMessage());
        }
    }

    private void await(Process process, IscsiUnit unit) {
        long deadline = System.nanoTime() + START.toNanos();
        // It writes this file when all else is ready.
        while (!Files.exists(directory.resolve("pid"))) {
            if (!process.isAlive()) {
                throw StowageException.unavailable(
                        "the storage daemon for %s ended at its start: %s (it is in the Debian packages qemu-system-common and "
                                + "qemu-block-extra)",
                        unit.address(), lastWords());
            }
            if (System.nanoTime() > deadline) {
                process.destroyForcibly();
                throw StowageException.unavailable(
                        "the storage daemon for %s was not ready after %d s, and was ended: %s",
                        unit.address(), START.toSeconds(), lastWords());
            }
            pause();
        }
    }

    /** The last line that it wrote. */
    String lastWords() {
        try (var lines = Files.lines(directory.resolve("log"))) {
            return lines.filter(line -> !line.isBlank())
                    .reduce((_, last) -> last)
                    .orElse("it said nothing");
        } catch (IOException | UncheckedIOException unreadable) {
            return "it said nothing";
        }
    }

    /** Asks the target for the unit's size, and returns it. */
    long refreshSize() {
        try (var monitor = new Monitor(directory.resolve("monitor"))) {
            monitor.refreshSize(NODE, monitor.size());
            return monitor.size();
        }
    }

    long size() {
        try (var monitor = new Monitor(directory.resolve("monitor"))) {
            return monitor.size();
        }
    }

    /** Ends the process: whoever uses the unit gets errors from now on, and nothing of it reaches the target any more. */
    void kill() {
        process()
                .ifPresent(process -> Effects.run("end-daemon", key(), () -> {
                    process.destroyForcibly();
                    process.onExit().join();
                }));
    }

    /** Ends the process, politely at first, and removes what it left. */
    void remove() {
        process()
                .ifPresent(process -> Effects.run("end-daemon", key(), () -> {
                    process.destroy();
                    try {
                        process.onExit().get(FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
                    } catch (Exception waiting) {
                        log.info(
                                "the storage daemon {} does not end while its target is silent, and is killed",
                                process.pid());
                        process.destroyForcibly();
                        process.onExit().join();
                    }
                }));
        clear();
    }

    /** Removes what a process left that has ended. Whoever still has the unit open keeps it, and gets errors. */
    void clear() {
        Mounts.unmountFromSight(disk());
        Effects.run("remove-unit", directory.toString(), () -> {
            try {
                for (var file : FILES) {
                    Files.deleteIfExists(directory.resolve(file));
                }
                Files.deleteIfExists(directory);
            } catch (IOException failure) {
                throw StowageException.internal(
                        failure,
                        "what a storage daemon left in %s cannot be removed (%s)",
                        directory,
                        failure.getMessage());
            }
        });
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw StowageException.unavailable("interrupted while a storage daemon started");
        }
    }
}
