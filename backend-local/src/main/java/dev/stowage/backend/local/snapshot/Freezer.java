package dev.stowage.backend.local.snapshot;

import dev.stowage.backend.local.pool.Pool;
import dev.stowage.backend.local.pool.PoolRecords;
import dev.stowage.backend.local.record.FreezeRecord;
import dev.stowage.backend.local.volume.LiveUse;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.VolumeId;
import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.filesystem.Filesystems;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds up the writers of mounted filesystems, for a bounded time.
 *
 * <p>A freeze outlives the process that made it, and a frozen filesystem stops its pods. So what is about to be frozen is on record
 * first, a guard thaws when the time is over even if the work hangs, and {@link #thawAll} is the first thing a starting driver does.
 */
public final class Freezer {

    private static final Logger log = LoggerFactory.getLogger(Freezer.class);

    private static final Duration RETHAW = Duration.ofMillis(100);

    private final Pool pool;
    private final PoolRecords records;
    private final Duration longest;

    public Freezer(Pool pool, PoolRecords records, Duration longest) {
        this.pool = pool;
        this.records = records;
        this.longest = longest;
    }

    /** Freezes the filesystems of all those volumes that are mounted; unmounted ones hold still by themselves. */
    public Frozen freeze(List<VolumeId> volumes) {
        var mounted = new ArrayList<Target>();
        for (VolumeId volume : volumes) {
            LiveUse.of(pool, volume)
                    .filter(use -> !use.rawDevice())
                    .ifPresent(use -> mounted.add(new Target(volume, use.mountPoint())));
        }
        String name = UUID.randomUUID().toString();
        if (!mounted.isEmpty()) {
            var record = FreezeRecord.newBuilder();
            mounted.forEach(target -> record.addVolumes(target.volume().value()));
            records.batch().put(name, record.build()).commit();
        }
        var frozen = new Frozen(name, mounted);
        try {
            frozen.begin();
            return frozen;
        } catch (RuntimeException failure) {
            frozen.close();
            throw failure;
        }
    }

    /** Thaws everything that an earlier process may have left frozen. What cannot be thawed now stays on record. */
    public void thawAll() {
        records.freezes().forEach((name, freeze) -> {
            boolean thawed = true;
            for (String volume : freeze.getVolumesList()) {
                thawed &= thaw(volume);
            }
            if (thawed) {
                records.batch().removeFreeze(name).commit();
            }
        });
    }

    /** One filesystem's trouble must not keep the others frozen. */
    private boolean thaw(String volume) {
        try {
            var use = LiveUse.of(pool, new VolumeId(volume));
            // Any of its mounts will do, and one may be hidden by another mount on top of it.
            if (use.isPresent() && use.get().mounts().stream().anyMatch(mount -> Filesystems.thaw(mount.target()))) {
                log.warn("volume {}: thawed its filesystem, which was left frozen by an interrupted snapshot", volume);
            }
            return true;
        } catch (SyscallException failure) {
            log.error(
                    "volume {}: its filesystem may have been left frozen by an interrupted snapshot, and cannot be thawed: {}",
                    volume,
                    failure.getMessage());
            return false;
        }
    }

    private record Target(VolumeId volume, Path mountPoint) {}

    /** Filesystems that are frozen until this is closed, or until the time is over. */
    public final class Frozen implements AutoCloseable {

        private final String name;
        private final List<Target> targets;
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition finished = lock.newCondition();
        private final List<Target> stillFrozen = new ArrayList<>();
        private final long deadline = System.nanoTime() + longest.toNanos();
        private boolean done;
        private boolean expired;

        private Frozen(String name, List<Target> targets) {
            this.name = name;
            this.targets = List.copyOf(targets);
        }

        private void begin() {
            if (targets.isEmpty()) {
                return;
            }
            Thread.ofPlatform().daemon().name("freeze-guard").start(this::guard);
            for (Target target : targets) {
                if (overdue()) {
                    throw tooLong();
                }
                freeze(target);
            }
        }

        private void freeze(Target target) {
            try {
                Filesystems.freeze(target.mountPoint());
            } catch (SyscallException failure) {
                if (failure.is(Errno.EBUSY)) {
                    throw StowageException.notPossible(
                            "volume %s: its filesystem at %s is frozen by somebody else; thaw it first (fsfreeze --unfreeze)",
                            target.volume(), target.mountPoint());
                }
                throw StowageException.internal(
                        failure,
                        "volume %s: its filesystem could not be frozen: %s",
                        target.volume(),
                        failure.getMessage());
            }
            lock.lock();
            try {
                stillFrozen.add(target);
            } finally {
                lock.unlock();
            }
        }

        /** Whether the time is over; what was copied since may mix old and new data. */
        public boolean overdue() {
            lock.lock();
            try {
                return expired || System.nanoTime() - deadline > 0;
            } finally {
                lock.unlock();
            }
        }

        /** Thaws, and tells whether everything was still frozen until now. */
        public void thawOnTime() {
            boolean late = overdue();
            close();
            if (late) {
                throw tooLong();
            }
        }

        private StowageException tooLong() {
            return StowageException.unavailable(
                    "writers were held up for %s, the most that is allowed; the snapshot was given up. Repeat it when the disk is less"
                            + " busy, or allow more time",
                    longest);
        }

        private void guard() {
            lock.lock();
            try {
                long left = deadline - System.nanoTime();
                while (!done && left > 0) {
                    left = finished.awaitNanos(left);
                }
                if (!done) {
                    expired = true;
                    log.warn("a freeze lasted longer than {}; thawing", longest);
                }
                // Again and again: a freeze that hung may succeed only now.
                while (!done) {
                    thaw();
                    finished.awaitNanos(RETHAW.toNanos());
                }
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
            } finally {
                lock.unlock();
            }
        }

        private void thaw() {
            for (Target target : List.copyOf(stillFrozen)) {
                Filesystems.thaw(target.mountPoint());
                stillFrozen.remove(target);
            }
        }

        @Override
        public void close() {
            lock.lock();
            try {
                if (done) {
                    return;
                }
                thaw();
                done = true;
                finished.signalAll();
            } finally {
                lock.unlock();
            }
            if (!targets.isEmpty()) {
                records.batch().removeFreeze(name).commit();
            }
        }
    }
}
