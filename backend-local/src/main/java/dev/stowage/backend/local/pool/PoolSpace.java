package dev.stowage.backend.local.pool;

import dev.stowage.core.error.StowageException;
import dev.stowage.core.volume.Sizes;
import dev.stowage.linux.filesystem.Usage;
import java.util.OptionalLong;

/**
 * The pool's room, counted twice: what was promised, and what is there.
 *
 * <p>A promise is what volumes and snapshots could come to take. It may exceed the pool by the overcommit factor and no more. What is
 * really free minus a reserve is what new things may take at once. So a full pool refuses new volumes while the old ones still have
 * the reserve to write to.
 */
public final class PoolSpace {

    private static final double DEFAULT_RESERVE_SHARE = 0.05;
    private static final long DEFAULT_RESERVE_AT_MOST = Sizes.GIB;

    private final Pool pool;
    private final double overcommit;
    private final OptionalLong reserve;

    private long promised;
    /** Owed to thick volumes whose blocks a snapshot shares: they may have to be written a second time. */
    private long owed;
    /** Taken by operations under way that the filesystem does not count yet. */
    private long beingTaken;

    public PoolSpace(Pool pool, double overcommit, OptionalLong reserve) {
        this.pool = pool;
        this.overcommit = overcommit;
        this.reserve = reserve;
    }

    /**
     * What a new thing will take.
     *
     * @param promised what it may come to hold
     * @param owed what must stay free for the sake of a thick volume
     * @param atOnce what making it takes from the free space
     */
    public record Demand(long promised, long owed, long atOnce) {
        public static Demand thin(long size) {
            return new Demand(size, 0, 0);
        }

        public static Demand thick(long size) {
            return new Demand(size, 0, size);
        }
    }

    /** Room that an operation holds until it either keeps it, because the thing exists now, or gives it back by closing. */
    public final class Claim implements AutoCloseable {
        private final Demand demand;
        private boolean kept;

        private Claim(Demand demand) {
            this.demand = demand;
        }

        public void keep() {
            kept = true;
        }

        @Override
        public void close() {
            synchronized (PoolSpace.this) {
                beingTaken -= demand.atOnce();
                if (!kept) {
                    promised -= demand.promised();
                    owed -= demand.owed();
                }
            }
        }
    }

    /** Takes the room for something new. {@code what} names it in the refusal. */
    public Claim claim(String what, Demand demand) {
        // Asked outside of the lock: a slow disk must not hold up those who only count.
        return claim(what, demand, pool.usage());
    }

    private synchronized Claim claim(String what, Demand demand, Usage usage) {
        var state = state(usage);
        long headroom = state.mayPromise() - promised;
        if (demand.promised() > headroom) {
            throw StowageException.exhausted(
                    "%s: pool %s has promised %s and may promise %s in all; %s more does not fit. Delete volumes or snapshots, enlarge"
                            + " the pool, or raise its overcommit",
                    what,
                    pool.path(),
                    Sizes.text(promised),
                    Sizes.text(state.mayPromise()),
                    Sizes.text(demand.promised()));
        }
        boolean takesRoom = demand.promised() + demand.owed() + demand.atOnce() > 0;
        if (takesRoom && (state.free() <= 0 || demand.atOnce() + demand.owed() > state.free())) {
            throw StowageException.exhausted(
                    "%s: pool %s has %s to give away (a reserve of %s is kept for the volumes that exist), %s is needed now. Delete"
                            + " volumes or snapshots, or enlarge the pool",
                    what,
                    pool.path(),
                    Sizes.text(Math.max(0, state.free())),
                    Sizes.text(state.reserve()),
                    Sizes.text(demand.atOnce() + demand.owed()));
        }
        promised += demand.promised();
        owed += demand.owed();
        beingTaken += demand.atOnce();
        return new Claim(demand);
    }

    /** Counts something that exists already. */
    public synchronized void count(long promisedBytes, long owedBytes) {
        promised += promisedBytes;
        owed += owedBytes;
    }

    /** Forgets something that is gone. */
    public synchronized void forget(long promisedBytes, long owedBytes) {
        promised -= promisedBytes;
        owed -= owedBytes;
    }

    /** The largest volume that could be made now. */
    public long available(boolean thick) {
        var state = state();
        long headroom = Math.max(0, state.mayPromise() - state.promised());
        if (state.free() <= 0) {
            return 0;
        }
        return thick ? Math.min(headroom, state.free()) : headroom;
    }

    /** Whether only the reserve is left, so that writes to thin volumes may soon fail. */
    public boolean full() {
        return state().free() <= 0;
    }

    /** @param free what may be given away: beyond the reserve, what is owed, and what is being taken */
    public record State(long total, long reserve, long free, long promised, long mayPromise) {}

    public State state() {
        return state(pool.usage());
    }

    private synchronized State state(Usage usage) {
        long kept =
                reserve.orElse(Math.min((long) (usage.totalBytes() * DEFAULT_RESERVE_SHARE), DEFAULT_RESERVE_AT_MOST));
        return new State(usage.totalBytes(), kept, usage.availableBytes() - kept - owed - beingTaken, promised, (long)
                (usage.totalBytes() * overcommit));
    }
}
