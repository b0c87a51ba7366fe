package dev.stowage.array.iscsi;

import dev.stowage.array.iscsi.TgtControl.Answer;
import dev.stowage.array.iscsi.TgtControl.Mode;
import dev.stowage.array.iscsi.TgtControl.Operation;
import dev.stowage.array.iscsi.TgtControl.Request;
import dev.stowage.core.error.StowageException;
import dev.stowage.linux.command.CommandFailedException;
import dev.stowage.linux.command.Commands;
import dev.stowage.linux.effect.Effects;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A tgtd that belongs to one array. It is a process of its own and outlives the array's, so that initiators go on while the array is
 * down, and the next start finds it through its control socket.
 */
final class TgtDaemon {

    private static final Logger log = LoggerFactory.getLogger(TgtDaemon.class);
    private static final Duration START = Duration.ofSeconds(20);
    private static final String PROCESS_FILE = ".pid";
    private static final String THREADS_FOR_A_UNIT = "4";
    private static final Duration PAUSE = Duration.ofMillis(20);
    // What the kernel allows for a socket's path, of which tgtd appends two characters.
    private static final int LONGEST_SOCKET_PATH = 105;

    private final Path socket;
    private final List<Portal> portals;
    private final TgtControl control;

    TgtDaemon(Path directory, List<Portal> portals) {
        this.socket = directory.resolve("tgt");
        this.portals = List.copyOf(portals);
        this.control = new TgtControl(directory.resolve("tgt.0"));
        if (socket.toString().length() > LONGEST_SOCKET_PATH) {
            throw StowageException.invalid(
                    "%s: the path is too long for the target's control socket; choose one of at most %d characters",
                    directory, LONGEST_SOCKET_PATH - "/tgt".length());
        }
    }

    /** Whether it runs and answers. */
    boolean runs() {
        try {
            return control.ask(Request.of(Mode.SYSTEM, Operation.SHOW)).code() == 0;
        } catch (IOException absent) {
            return false;
        }
    }

    /** Starts it, if it does not run. */
    void start() {
        if (runs()) {
            log.info("the target on {} runs already and is taken over", named());
            changePortals();
            return;
        }
        try {
            // It goes to the background by itself once it listens.
            Commands.run(
                            START,
                            "env",
                            "TGT_IPC_SOCKET=" + socket,
                            "tgtd",
                            "--control-port",
                            "0",
                            "--pid-file",
                            socket + PROCESS_FILE,
                            "--nr_iothreads",
                            THREADS_FOR_A_UNIT,
                            "--iscsi",
                            portals.stream().map(portal -> "portal=" + portal).collect(Collectors.joining(",")))
                    .orThrow();
        } catch (CommandFailedException failure) {
            throw StowageException.unavailable(
                    failure,
                    "the iSCSI target on %s cannot be started: %s; is the package tgt installed?",
                    named(),
                    failure.getMessage());
        }
        await();
        requireOwnPortals();
    }

    /** A tgtd that cannot have its portals listens on port 3260 of every address instead, and says so to nobody. */
    private void requireOwnPortals() {
        if (served().equals(Set.copyOf(portals.stream().map(Portal::address).toList()))) {
            return;
        }
        stop();
        throw StowageException.notPossible(
                "the iSCSI target cannot listen on %s: each portal has to be an address of this machine, and its port free",
                named());
    }

    /** What was started with other portals gets these. Connections through one that is no more are not ended by that. */
    private void changePortals() {
        var before = served();
        for (Portal portal : portals) {
            if (!before.remove(portal.address()) && change(portal, Operation.NEW) != 0) {
                throw StowageException.notPossible(
                        "the iSCSI target cannot listen on %s, too: it has to be an address of this machine, and its port free",
                        portal);
            }
        }
        for (InetSocketAddress other : before) {
            var portal = Portal.of(other);
            if (change(portal, Operation.DELETE) != 0) {
                throw StowageException.unavailable(
                        "the iSCSI target still listens on %s, which it is not to do any more", portal);
            }
        }
    }

    private int change(Portal portal, Operation operation) {
        return change(Request.of(Mode.PORTAL, operation).text("portal=" + portal))
                .code();
    }

    private Set<InetSocketAddress> served() {
        return TgtView.portals(query(Request.of(Mode.PORTAL, Operation.SHOW)).text()).stream()
                .map(Portal::address)
                .collect(Collectors.toCollection(HashSet::new));
    }

    private void await() {
        long deadline = System.nanoTime() + START.toNanos();
        while (!runs()) {
            if (System.nanoTime() > deadline) {
                throw StowageException.unavailable(
                        "the iSCSI target on %s does not answer: tgtd ended or hangs; its messages are in the system's log",
                        named());
            }
            pause();
        }
    }

    static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw StowageException.unavailable("interrupted while waiting for the iSCSI target");
        }
    }

    /** Asks it to end, which it only does when it has no targets, and waits until it has. */
    boolean stop() {
        var process = process();
        if (change(Request.of(Mode.SYSTEM, Operation.DELETE)).code() != 0) {
            return false;
        }
        long deadline = System.nanoTime() + START.toNanos();
        while (process.isPresent() && process.get().isAlive()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            pause();
        }
        return true;
    }

    private Optional<ProcessHandle> process() {
        try {
            return ProcessHandle.of(Long.parseLong(
                    Files.readString(Path.of(socket + PROCESS_FILE)).strip()));
        } catch (IOException | NumberFormatException unknown) {
            log.warn("which process the target on {} is cannot be told: {}", named(), unknown.getMessage());
            return Optional.empty();
        }
    }

    Answer query(Request request) {
        try {
            return control.ask(request);
        } catch (IOException failure) {
            throw StowageException.unavailable(
                    failure, "the iSCSI target on %s does not answer (%s)", named(), failure.getMessage());
        }
    }

    Answer change(Request request) {
        return Effects.perform("target", request.toString(), () -> query(request));
    }

    String named() {
        return portals.stream().map(Portal::toString).collect(Collectors.joining(", "));
    }
}
