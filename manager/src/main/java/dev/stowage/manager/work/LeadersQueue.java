package dev.stowage.manager.work;

import dev.stowage.core.error.StowageException;
import dev.stowage.kube.work.Backoff;
import dev.stowage.kube.work.WorkQueue;
import dev.stowage.manager.metrics.Passes;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Objects that something is to be done about, by whoever leads.
 *
 * <p>Caches tell of changes before this process leads. What they tell then is not kept: all is looked at when it begins.
 */
public final class LeadersQueue implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LeadersQueue.class);
    private static final int AT_ONCE = 16;
    private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1));
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(10);

    private final String name;
    private final BooleanSupplier leads;
    private final Passes passes;
    private volatile @Nullable WorkQueue queue;
    private boolean closed;

    /**
     * A queue that does nothing yet.
     *
     * @param name what is in it
     * @param leads whether anything may be changed now
     */
    public LeadersQueue(String name, BooleanSupplier leads) {
        this.name = name;
        this.leads = leads;
        this.passes = new Passes(name, this::depth, this::retries);
    }

    /** From now on this is done about everything that comes up. */
    public synchronized void begin(WorkQueue.Work work) {
        if (!closed) {
            queue = new WorkQueue(AT_ONCE, BACKOFF, object -> Optional.empty(), object -> attempt(work, object));
        }
    }

    public void add(String object) {
        var now = queue;
        if (now != null) {
            now.add(object);
        }
    }

    /** The same after a while, by whoever leads then. */
    public void add(String object, Duration pause) {
        Thread.ofVirtual().name("later " + object).start(() -> {
            try {
                Thread.sleep(pause);
                add(object);
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private boolean attempt(WorkQueue.Work work, String object) {
        if (!leads.getAsBoolean()) {
            // It may lead again in a moment, when a late renewal got through, and nobody would look at this any more.
            return false;
        }
        long began = System.nanoTime();
        var result = Passes.Result.FAILED;
        try {
            boolean done = work.apply(object);
            result = done ? Passes.Result.DONE : Passes.Result.AGAIN;
            return done;
        } catch (StowageException failed) {
            LOG.info("{}: {}: will try again: {}", name, object, failed.getMessage());
            return false;
        } finally {
            passes.ended(result, System.nanoTime() - began);
        }
    }

    /** What it did, and has to do. */
    public Passes passes() {
        return passes;
    }

    private long depth() {
        var now = queue;
        return now == null ? 0 : now.depth();
    }

    private long retries() {
        var now = queue;
        return now == null ? 0 : now.retries();
    }

    /** Begins nothing new, and lets what is under way finish. */
    @Override
    public void close() {
        WorkQueue last;
        synchronized (this) {
            closed = true;
            last = queue;
            queue = null;
        }
        try {
            if (last != null && !last.close(STOP_PATIENCE)) {
                LOG.warn("{}: some work is still under way; whoever leads next goes on with it", name);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
