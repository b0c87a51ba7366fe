package dev.stowage.iscsi.qemu;

import dev.stowage.core.error.StowageException;
import dev.stowage.iscsi.Iqn;
import dev.stowage.iscsi.IscsiUnit;
import dev.stowage.iscsi.UnitAddress;
import dev.stowage.iscsi.qemu.wire.UnitState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The storage daemons of this machine, one for each unit, in a directory each. All that is known of them is in these directories and in
 * the processes themselves, so that whoever looks next finds them.
 */
final class UnitDaemons {

    private static final Logger log = LoggerFactory.getLogger(UnitDaemons.class);
    private static final int KEY_DIGITS = 24;
    private static final Duration WORTH_TELLING = Duration.ofSeconds(5);

    private final Path directory;
    private final Duration patience;
    private final Map<UnitAddress, ReentrantLock> locks = new ConcurrentHashMap<>();
    private final Map<String, Heartbeat> heartbeats = new ConcurrentHashMap<>();

    /** @param patience how long a target may be silent before whoever waits for it gets errors instead */
    UnitDaemons(Path directory, Duration patience) {
        this.directory = directory;
        this.patience = patience;
    }

    /** Starts the unit's daemon, or finds it running. */
    UnitState attach(Iqn initiator, IscsiUnit unit, boolean readOnly) {
        var lock = locks.computeIfAbsent(unit.address(), _ -> new ReentrantLock());
        lock.lock();
        try {
            var found = Probe.ask(initiator, unit);
            unit.requireSerial(found.serial());
            var daemon = new UnitDaemon(directory.resolve(key(unit.address(), found.serial())));
            removeOthersAt(unit.address(), daemon.key());
            if (daemon.process().isEmpty()) {
                daemon.clear();
                var state = UnitState.newBuilder()
                        .setKey(daemon.key())
                        .setTarget(unit.address().target().value())
                        .setLun(unit.address().lun())
                        .setSerial(found.serial())
                        .setPortal(found.portal().toString())
                        .setReadOnly(readOnly)
                        .build();
                start(daemon, initiator, unit, found, state);
            }
            return withSize(daemon, daemon.size());
        } finally {
            lock.unlock();
        }
    }

    private static void start(UnitDaemon daemon, Iqn initiator, IscsiUnit unit, Probe.Found found, UnitState state) {
        try {
            daemon.start(initiator, unit, found.portal(), state);
            // Another unit may have come to this number before the daemon logged in.
            var now = Probe.ask(initiator, unit).serial();
            if (!now.equals(found.serial())) {
                throw StowageException.unavailable(
                        "%s was %s and is %s a moment later; it is not used", unit.address(), found.serial(), now);
            }
        } catch (RuntimeException failure) {
            daemon.remove();
            throw failure;
        }
    }

    /** What is left of another unit with this number must not write to the one that has it now. */
    private void removeOthersAt(UnitAddress address, String key) {
        for (var other : daemonsAt(address)) {
            if (!other.key().equals(key)) {
                log.warn("{} is another unit than before; what was left of the former is ended", address);
                other.remove();
                heartbeats.remove(other.key());
            }
        }
    }

    /** Ends the unit's daemon. An empty serial means whatever is there. */
    void detach(UnitAddress address, String serial) {
        var lock = locks.computeIfAbsent(address, _ -> new ReentrantLock());
        lock.lock();
        try {
            for (var daemon : daemonsAt(address)) {
                var recorded = daemon.recorded().map(UnitState::getSerial).orElse("");
                if (serial.isEmpty() || serial.equals(recorded)) {
                    daemon.remove();
                    heartbeats.remove(daemon.key());
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Lets the unit show the size that it has at the target. */
    UnitState grow(UnitAddress address) {
        var lock = locks.computeIfAbsent(address, _ -> new ReentrantLock());
        lock.lock();
        try {
            for (var daemon : daemonsAt(address)) {
                if (daemon.process().isPresent()) {
                    return withSize(daemon, daemon.refreshSize());
                }
            }
            throw StowageException.notPossible("%s is not attached here", address);
        } finally {
            lock.unlock();
        }
    }

    private UnitState withSize(UnitDaemon daemon, long bytes) {
        return state(daemon)
                .orElseThrow(
                        () -> StowageException.unavailable("the storage daemon %s is not there any more", daemon.key()))
                .toBuilder()
                .setBytes(bytes)
                .build();
    }

    List<UnitState> list() {
        var states = new ArrayList<UnitState>();
        for (var daemon : daemons()) {
            state(daemon).ifPresent(states::add);
        }
        return states;
    }

    private Optional<UnitState> state(UnitDaemon daemon) {
        return daemon.recorded().map(recorded -> {
            var process = daemon.process();
            if (process.isEmpty()) {
                return recorded.toBuilder()
                        .setTrouble("its storage daemon has ended: " + daemon.lastWords())
                        .build();
            }
            var state = recorded.toBuilder().setProcess(process.get().pid());
            var heartbeat = heartbeats.get(daemon.key());
            if (heartbeat != null && heartbeat.silence().compareTo(WORTH_TELLING) > 0) {
                return state.setTrouble("the target has not answered for %d s"
                                .formatted(heartbeat.silence().toSeconds()))
                        .build();
            }
            if (heartbeat != null) {
                heartbeat.failure().ifPresent(why -> state.setTrouble("it cannot be read: " + why));
            }
            return state.build();
        });
    }

    /** Looks after every unit once. To be called again and again. */
    void look() {
        for (var daemon : daemons()) {
            var process = daemon.process();
            if (process.isEmpty()) {
                heartbeats.remove(daemon.key());
                continue;
            }
            var heartbeat = heartbeats.computeIfAbsent(daemon.key(), _ -> new Heartbeat(daemon.disk()));
            if (heartbeat.silence().compareTo(patience) > 0) {
                log.error(
                        "the target of {} has not answered for {} s: its storage daemon is ended, so that whoever waits for it gets an error"
                                + " and nothing that waits is written later",
                        daemon.recorded().map(UnitDaemons::text).orElse(daemon.key()),
                        patience.toSeconds());
                daemon.kill();
            } else {
                heartbeat.beat();
            }
        }
    }

    private static String text(UnitState state) {
        return address(state).toString();
    }

    static UnitAddress address(UnitState state) {
        return new UnitAddress(new Iqn(state.getTarget()), state.getLun());
    }

    private List<UnitDaemon> daemonsAt(UnitAddress address) {
        return daemons().stream()
                .filter(daemon -> daemon.recorded()
                        .filter(state -> address(state).equals(address))
                        .isPresent())
                .toList();
    }

    private List<UnitDaemon> daemons() {
        try (var list = Files.list(directory)) {
            return list.filter(Files::isDirectory).map(UnitDaemon::new).toList();
        } catch (IOException failure) {
            throw StowageException.internal(failure, "%s cannot be read (%s)", directory, failure.getMessage());
        }
    }

    private static String key(UnitAddress address, String serial) {
        try {
            var text = "%s %d %s".formatted(address.target(), address.lun(), serial.toLowerCase(Locale.ROOT));
            var digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, KEY_DIGITS);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
