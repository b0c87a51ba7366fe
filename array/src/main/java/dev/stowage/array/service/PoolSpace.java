package dev.stowage.array.service;

import dev.stowage.array.journal.Ids;
import dev.stowage.array.record.SnapshotRecord;
import dev.stowage.array.record.VolumeRecord;
import dev.stowage.array.store.Store;
import dev.stowage.core.volume.Sizes;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/** The only pool: how much room it has, and whether there is some left for a wish. */
public final class PoolSpace {

    private static final Duration FRESH = Duration.ofSeconds(1);

    private static final long DEFAULT_HISTORY_MINUTES = 60;

    private final Parts parts;
    private final CapacityHistory history = new CapacityHistory();
    private final OptionalLong capacity;
    private final BooleanSupplier seemsFull;
    private long measured;
    private long measuredAt = System.nanoTime() - FRESH.toNanos() - 1;

    /**
     * @param capacity what the pool may take of its filesystem, all of it by default
     * @param seemsFull whether to pretend that nothing is left
     */
    public PoolSpace(Parts parts, OptionalLong capacity, BooleanSupplier seemsFull) {
        this.parts = parts;
        this.capacity = capacity;
        this.seemsFull = seemsFull;
    }

    /** How the pool stands by the thresholds that were set. */
    public enum Mode {
        normal,
        /** At this rate it is full soon. */
        alert,
        /** At this rate it is full very soon, and nothing new is made. */
        PROTECTED,
        /** Next to nothing is left, and nothing is made or grown. */
        emergency;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The pool's figures. */
    public record Figures(long capacity, long available, long provisioned, Mode mode) {}

    public Figures figures() {
        long provisioned = parts.journal().volumes().values().stream()
                .mapToLong(VolumeRecord::getSizeBytes)
                .sum();
        Store.Room room = parts.store().room();
        long total = room.totalBytes();
        long available = room.freeBytes();
        if (capacity.isPresent()) {
            total = capacity.getAsLong();
            available = Math.clamp(total - allocated(), 0, available);
        }
        if (seemsFull.getAsBoolean()) {
            available = 0;
        }
        return new Figures(total, available, provisioned, mode(available));
    }

    /** Remembers how much room there is now. */
    public void sample() {
        figures();
    }

    /** Every file is asked for it, so not more often than once a second. */
    private synchronized long allocated() {
        if (System.nanoTime() - measuredAt > FRESH.toNanos()) {
            measured = measure();
            measuredAt = System.nanoTime();
        }
        return measured;
    }

    private long measure() {
        long volumes = parts.journal().volumes().values().stream()
                .map(VolumeRecord::getId)
                .mapToLong(parts.store()::allocatedBytes)
                .sum();
        return volumes
                + parts.journal().snapshots().values().stream()
                        .map(SnapshotRecord::getId)
                        .mapToLong(parts.store()::allocatedBytes)
                        .sum();
    }

    private Mode mode(long available) {
        var own = parts.own();
        var now = parts.clock().instant();
        history.add(now, available);
        if (available <= own.getEmergencyBytes()) {
            return Mode.emergency;
        }
        long minutes = own.getHistoryMinutes() > 0 ? own.getHistoryMinutes() : DEFAULT_HISTORY_MINUTES;
        var left = history.left(now, available, Duration.ofMinutes(minutes)).map(Duration::toMinutes);
        if (left.isPresent() && left.get() < own.getProtectedMinutes()) {
            return Mode.PROTECTED;
        }
        return left.isPresent() && left.get() < own.getAlertMinutes() ? Mode.alert : Mode.normal;
    }

    /** Sets the thresholds; what is absent stays as it is. */
    public void protect(Thresholds wish) {
        parts.change(own -> {
            wish.alertMinutes().ifPresent(own::setAlertMinutes);
            wish.protectedMinutes().ifPresent(own::setProtectedMinutes);
            wish.emergencyBytes().ifPresent(own::setEmergencyBytes);
            wish.historyMinutes().ifPresent(own::setHistoryMinutes);
            return own;
        });
    }

    /** When the pool changes its mode. */
    public record Thresholds(
            OptionalLong alertMinutes,
            OptionalLong protectedMinutes,
            OptionalLong emergencyBytes,
            OptionalLong historyMinutes) {}

    /** Refuses what would begin without room. Volumes are thin, so that their size itself takes none. */
    void requireRoom(String what) {
        var figures = figures();
        if (figures.mode() == Mode.PROTECTED || figures.mode() == Mode.emergency) {
            throw refused(what, figures);
        }
    }

    /** What is there already may still grow while nothing new is made. */
    void requireRoomToGrow(String what) {
        var figures = figures();
        if (figures.mode() == Mode.emergency) {
            throw refused(what, figures);
        }
    }

    private static Refusal refused(String what, Figures figures) {
        return Refusal.of(
                Status.NO_ROOM,
                "%s: pool %s has %s left and is in %s mode; delete volumes or snapshots, empty the recycle bin, or enlarge it",
                what,
                Ids.THE_POOL,
                Sizes.text(figures.available()),
                figures.mode());
    }

    public static void requirePool(String pool) {
        if (!pool.equals(Ids.THE_POOL)) {
            throw Refusal.of(
                    Status.POOL_NOT_FOUND, "pool %s was not found; the array's only pool is %s", pool, Ids.THE_POOL);
        }
    }
}
