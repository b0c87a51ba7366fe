package dev.stowage.iscsi.kernel;

import dev.stowage.core.error.StowageException;
import dev.stowage.iscsi.Attached;
import dev.stowage.iscsi.Initiator;
import dev.stowage.iscsi.Iqn;
import dev.stowage.iscsi.IscsiUnit;
import dev.stowage.iscsi.Portal;
import dev.stowage.iscsi.Session;
import dev.stowage.iscsi.UnitAddress;
import dev.stowage.linux.block.BlockDevices;
import dev.stowage.linux.scsi.ScsiDevice;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kernel's initiator.
 *
 * <p>Sessions are looked up by their target and ended by their number; a device that may be gone, or be another by now, is never what a
 * session is found by. A session belongs to all units of its target: it ends with the last of them.
 */
public final class OpenIscsi implements Initiator {

    private static final Logger log = LoggerFactory.getLogger(OpenIscsi.class);

    private final Iqn name;
    private final Iscsiadm tool;
    private final Map<Iqn, ReentrantLock> locks = new ConcurrentHashMap<>();

    /** @param patience how long I/O waits for a lost target before it fails */
    public OpenIscsi(Iqn name, Duration patience) {
        this.name = name;
        this.tool = new Iscsiadm(new NodeDatabase(), patience);
    }

    /** Nothing has to be held: a device stays until it is detached. */
    private record Standing(Attached attached) implements Held {
        @Override
        public void close() {
            // nothing is held
        }
    }

    private interface Locked<T> {
        T run();
    }

    /** Sessions are shared by the units of a target, so that those must not come and go at once. */
    private <T> T locked(Iqn target, Locked<T> action) {
        var lock = locks.computeIfAbsent(target, _ -> new ReentrantLock());
        lock.lock();
        try {
            return action.run();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Iqn name() {
        return name;
    }

    @Override
    public Held attach(IscsiUnit unit, How how) {
        return locked(unit.address().target(), () -> {
            try {
                logIn(unit);
                return new Standing(device(unit));
            } catch (RuntimeException failure) {
                endUnused(unit.address().target());
                throw failure;
            }
        });
    }

    /** One portal is enough to begin with; that others do not answer is what several are for. */
    private void logIn(IscsiUnit unit) {
        StowageException last = null;
        int open = 0;
        for (Portal portal : unit.portals()) {
            try {
                tool.logIn(unit, portal);
                open++;
            } catch (StowageException.Unavailable silent) {
                log.warn("{}", silent.getMessage());
                last = silent;
            }
        }
        if (open == 0 && last != null) {
            throw last;
        }
    }

    private Attached device(IscsiUnit unit) {
        var address = unit.address();
        var paths = new ArrayList<ScsiDevice>();
        var serials = new LinkedHashMap<String, ScsiDevice>();
        for (var session : KernelSession.of(address.target())) {
            if (session.loggedIn()) {
                var path = Paths.find(session, unit);
                path.ifPresent(found -> {
                    paths.add(found.device());
                    serials.put(found.serial(), found.device());
                });
            }
        }
        if (paths.isEmpty()) {
            throw StowageException.notPossible("there is no %s: it is not attached to this node, or no more", address);
        }
        if (serials.size() > 1) {
            throw StowageException.notPossible(
                    "%s is another unit through each portal (serial numbers %s); none is used",
                    address, serials.keySet());
        }
        var serial = serials.keySet().iterator().next();
        var map = paths.size() > 1 ? Optional.of(Multipath.join(paths)) : Multipath.of(paths.getFirst());
        return map.map(joined -> attached(address, serial, joined.node(), joined.kernelName()))
                .orElseGet(() -> paths.getFirst()
                        .name()
                        .map(disk -> attached(address, serial, Path.of("/dev", disk), disk))
                        .orElseThrow(() -> StowageException.unavailable("the device of %s has just gone", address)));
    }

    private static Attached attached(UnitAddress address, String serial, Path node, String kernelName) {
        var number = Paths.number(kernelName);
        return new Attached(address, serial, node, number.major(), number.minor());
    }

    @Override
    public Optional<Attached> find(UnitAddress address) {
        for (var session : KernelSession.of(address.target())) {
            var found = session.device(address.lun())
                    .flatMap(device -> device.knownSerial()
                            .flatMap(serial -> Multipath.of(device)
                                    .map(map -> attached(address, serial, map.node(), map.kernelName()))
                                    .or(() -> device.name()
                                            .map(disk -> attached(address, serial, Path.of("/dev", disk), disk)))));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    @Override
    public void detach(UnitAddress address, Optional<String> serial, Optional<Path> device) {
        locked(address.target(), () -> {
            var paths = KernelSession.of(address.target()).stream()
                    .flatMap(session -> session.device(address.lun()).stream())
                    .filter(path -> serial.isEmpty()
                            || path.knownSerial().isEmpty()
                            || path.knownSerial().equals(serial))
                    .toList();
            paths.stream()
                    .flatMap(path -> Multipath.of(path).stream())
                    .distinct()
                    .forEach(Multipath::remove);
            paths.forEach(Paths::remove);
            endUnused(address.target());
            return true;
        });
    }

    @Override
    public void cut(UnitAddress address) {
        locked(address.target(), () -> {
            KernelSession.of(address.target()).stream()
                    .flatMap(session -> session.device(address.lun()).stream())
                    .forEach(ScsiDevice::delete);
            return true;
        });
    }

    /** Ends the sessions in which there is no unit any more. */
    private void endUnused(Iqn target) {
        for (var session : KernelSession.of(target)) {
            if (session.devices().isEmpty()) {
                tool.logOut(session);
            }
        }
        if (KernelSession.of(target).isEmpty()) {
            tool.forget(target);
        }
    }

    @Override
    public long grow(UnitAddress address) {
        return locked(address.target(), () -> {
            var paths = KernelSession.of(address.target()).stream()
                    .flatMap(session -> session.device(address.lun()).stream())
                    .toList();
            paths.forEach(ScsiDevice::rescan);
            paths.stream()
                    .flatMap(path -> Multipath.of(path).stream())
                    .distinct()
                    .forEach(Multipath::resize);
            return BlockDevices.size(find(address)
                    .orElseThrow(() -> StowageException.notPossible("%s is not attached here", address))
                    .device());
        });
    }

    @Override
    public List<Session> sessions() {
        var paths = new LinkedHashMap<UnitAddress, List<KernelSession>>();
        var serials = new LinkedHashMap<UnitAddress, String>();
        for (var session : KernelSession.all()) {
            for (var device : session.devices()) {
                var address = new UnitAddress(session.target(), device.lun());
                paths.computeIfAbsent(address, _ -> new ArrayList<>()).add(session);
                device.knownSerial().ifPresent(serial -> serials.put(address, serial));
            }
        }
        return paths.entrySet().stream()
                .map(entry -> new Session(
                        entry.getKey(),
                        serials.getOrDefault(entry.getKey(), ""),
                        entry.getValue().stream().anyMatch(KernelSession::loggedIn)
                                ? Optional.empty()
                                : Optional.of("none of its " + entry.getValue().size() + " sessions is logged in")))
                .toList();
    }
}
