package dev.stowage.array.iscsi;

import dev.stowage.array.iscsi.TgtView.Served;
import dev.stowage.core.error.StowageException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves with tgt, an iSCSI target in user space.
 *
 * <p>Two of its ways matter here. Taking away the right of access does not end a session that is open. And a unit with a command in
 * flight cannot be deleted, while one that was deleted is out of reach of whatever still arrives: so the deletion, repeated until it
 * succeeds, is the proof that nothing is in flight.
 *
 * <p>Should tgtd end, it is started again with what it served.
 */
public final class TgtTarget implements Target {

    private static final Logger log = LoggerFactory.getLogger(TgtTarget.class);

    /** How long a unit may be busy before it counts as in use. */
    private static final Duration QUIET = Duration.ofMillis(500);

    private static final Duration WATCH = Duration.ofSeconds(1);

    private final TgtDaemon daemon;
    private final TgtCommands tgt;
    private final TgtSteps steps;
    private final Map<Integer, Known> known = new ConcurrentHashMap<>();
    /** Calls share it; whoever starts tgtd again has it alone. */
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

    private volatile boolean closed;
    /** What tgtd was to serve when it was started again, until it does. */
    private volatile @Nullable List<Export> unfinished;

    /** What is served to a server. */
    private record Known(Server server, Map<Integer, Unit> units) {
        Known(Server server) {
            this(server, new ConcurrentSkipListMap<>());
        }
    }

    private TgtTarget(TgtDaemon daemon) {
        this.daemon = daemon;
        this.tgt = new TgtCommands(daemon);
        this.steps = new TgtSteps(tgt);
    }

    /** Starts a tgtd with its control socket in the directory, or takes over the one that runs. */
    public static TgtTarget start(Path directory, List<Portal> portals) {
        var daemon = new TgtDaemon(directory, portals);
        daemon.start();
        var target = new TgtTarget(daemon);
        Thread.ofPlatform().daemon().name("target-watch").start(target::watch);
        return target;
    }

    /** Whether one with its control socket in the directory serves. */
    public static boolean runs(Path directory, List<Portal> portals) {
        return new TgtDaemon(directory, portals).runs();
    }

    @Override
    public void restore(List<Export> exports) {
        lock.writeLock().lock();
        try {
            known.clear();
            var running = new HashMap<Integer, Served>();
            tgt.served().forEach(served -> running.put(served.number(), served));
            for (Export export : exports) {
                restore(export, running.remove(export.server().number()));
            }
            running.values().forEach(steps::shut);
        } finally {
            lock.writeLock().unlock();
        }
    }

    private void restore(Export export, @Nullable Served running) {
        var server = export.server();
        var now = new Known(server);
        if (running == null) {
            steps.make(server);
        } else {
            steps.takeOver(export, running).forEach(unit -> now.units().put(unit.lun(), unit));
        }
        for (Unit unit : export.units()) {
            if (!now.units().containsKey(unit.lun())) {
                tgt.offer(server.number(), unit);
                now.units().put(unit.lun(), unit);
            }
        }
        tgt.allow(server.number(), server.initiator());
        known.put(server.number(), now);
    }

    @Override
    public void admit(Server server) {
        call(() -> {
            var before = known.get(server.number());
            if (before == null) {
                steps.make(server);
                known.put(server.number(), new Known(server));
            } else if (!before.server().equals(server)) {
                known.put(server.number(), new Known(server, before.units()));
                steps.changeRules(before.server(), server);
            }
            tgt.allow(server.number(), server.initiator());
            return true;
        });
    }

    @Override
    public void expel(Server server) {
        call(() -> {
            var now = known.remove(server.number());
            if (now != null) {
                steps.shut(now.server(), now.units().keySet());
            }
            return true;
        });
    }

    @Override
    public void add(Server server, Unit unit) {
        admit(server);
        call(() -> {
            var now = here(server);
            if (!unit.equals(now.units().get(unit.lun()))) {
                // What an earlier attempt may have left is not known to be whole.
                if (!tgt.withdraw(server.number(), unit.lun(), QUIET)) {
                    steps.fence(server, unit.lun());
                }
                tgt.offer(server.number(), unit);
                now.units().put(unit.lun(), unit);
            }
            tgt.allow(server.number(), server.initiator());
            return true;
        });
    }

    @Override
    public boolean remove(Server server, Unit unit, boolean force) {
        return call(() -> {
            var now = known.get(server.number());
            if (now == null) {
                return true;
            }
            // Forgotten first: should tgtd end meanwhile, it must not come back with this unit.
            var before = now.units().remove(unit.lun());
            if (!tgt.withdraw(server.number(), unit.lun(), QUIET)) {
                if (!force) {
                    now.units().put(unit.lun(), before == null ? unit : before);
                    return false;
                }
                steps.fence(server, unit.lun());
            }
            if (now.units().isEmpty()) {
                known.remove(server.number());
                steps.shut(now.server(), List.of());
            } else {
                tgt.allow(server.number(), server.initiator());
            }
            return true;
        });
    }

    @Override
    public void renew(Server server, Unit unit) {
        call(() -> {
            var now = here(server);
            // To reopen a unit while commands run could lose a write: tgt's threads would find no file, or another one.
            steps.fence(server, unit.lun());
            tgt.offer(server.number(), unit);
            now.units().put(unit.lun(), unit);
            tgt.allow(server.number(), server.initiator());
            return true;
        });
    }

    @Override
    public boolean connected(Server server) {
        return call(() -> known.containsKey(server.number())
                && !tgt.connections(server.number()).isEmpty());
    }

    @Override
    public void abandon() {
        closed = true;
    }

    @Override
    public void close() {
        closed = true;
        if (!daemon.runs()) {
            return;
        }
        restore(List.of());
        if (!daemon.stop()) {
            throw StowageException.unavailable(
                    "the iSCSI target on %s refused to end although it has nothing to serve", daemon.named());
        }
    }

    private Known here(Server server) {
        var now = known.get(server.number());
        if (now == null) {
            throw StowageException.internal("target %s is not served", server.target());
        }
        return now;
    }

    private <T> T call(Supplier<T> call) {
        lock.readLock().lock();
        try {
            if (unfinished != null) {
                throw StowageException.unavailable(
                        "the iSCSI target on %s ended and is being started again; repeat the call", daemon.named());
            }
            return call.get();
        } finally {
            lock.readLock().unlock();
        }
    }

    private void watch() {
        while (!closed) {
            try {
                Thread.sleep(WATCH);
                if (unfinished != null || !daemon.runs()) {
                    revive();
                }
            } catch (InterruptedException ended) {
                return;
            } catch (RuntimeException failure) {
                log.error(
                        "the iSCSI target on {} ended and could not be started again: {}",
                        daemon.named(),
                        failure.getMessage());
            }
        }
    }

    private void revive() {
        lock.writeLock().lock();
        try {
            if (closed) {
                return;
            }
            var exports = unfinished;
            if (exports == null) {
                log.error("the iSCSI target on {} ended; it is started again", daemon.named());
                exports = known.values().stream()
                        .map(each -> new Export(
                                each.server(), List.copyOf(each.units().values())))
                        .toList();
                unfinished = exports;
            }
            daemon.start();
            restore(exports);
            unfinished = null;
        } finally {
            lock.writeLock().unlock();
        }
    }
}
