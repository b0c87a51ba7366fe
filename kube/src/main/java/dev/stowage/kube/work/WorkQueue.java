package dev.stowage.kube.work;

import dev.stowage.core.error.StowageException;
import dev.stowage.core.lane.Lanes;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Objects that something is to be done about.
 *
 * <p>An object is worked on by one thread at a time; what happens to it meanwhile makes it come up again. What fails comes up again
 * after a while that grows with every retry. It does not grow when the object comes up because something happened: much may happen
 * in a second, and the object would wait for minutes although it has hardly been waited for. Objects that share a lane never overlap, others never wait for each other, except for the number that may
 * be under way at once: waiting costs a virtual thread and nothing else.
 */
public final class WorkQueue {

    private static final Logger LOG = LoggerFactory.getLogger(WorkQueue.class);
    private static final Duration LANE_PATIENCE = Duration.ofDays(1);

    private final Map<String, Item> items = new HashMap<>();
    private final Lanes lanes = new Lanes(LANE_PATIENCE);
    private final Semaphore places;
    private final int most;
    private final Backoff backoff;
    private final Function<String, Optional<String>> laneOf;
    private final Work work;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().name("retries").daemon().unstarted(task));
    private final AtomicLong retries = new AtomicLong();
    private volatile boolean closed;

    /** What is to be done about an object. */
    public interface Work {
        /** @return whether all is done; otherwise the object comes up again later */
        boolean apply(String object);
    }

    private static final class Item {
        private boolean underWay;
        private boolean again;
        private boolean isRetry;
        private int failures;
        private @Nullable Future<?> retry;
    }

    /**
     * An empty queue.
     *
     * @param most how many objects may be worked on at once
     * @param laneOf the lane of an object, if it is known
     */
    public WorkQueue(int most, Backoff backoff, Function<String, Optional<String>> laneOf, Work work) {
        this.places = new Semaphore(most, true);
        this.most = most;
        this.backoff = backoff;
        this.laneOf = laneOf;
        this.work = work;
    }

    /** Something is to be done about the object, now. */
    public synchronized void add(String object) {
        if (closed) {
            return;
        }
        var item = items.computeIfAbsent(object, name -> new Item());
        if (item.retry != null) {
            item.retry.cancel(false);
            item.retry = null;
        }
        if (item.underWay) {
            item.again = true;
        } else {
            item.underWay = true;
            start(object);
        }
    }

    private synchronized void retry(String object) {
        var item = items.get(object);
        // Something may have happened at the very moment at which the while was over.
        if (item != null && item.retry != null) {
            item.isRetry = true;
            add(object);
        }
    }

    /** What waits because it failed need not wait any longer: the reason is gone. */
    public synchronized void wakeAll() {
        items.forEach((object, item) -> item.failures = 0);
        items.entrySet().stream()
                .filter(entry -> entry.getValue().retry != null)
                .map(Map.Entry::getKey)
                .toList()
                .forEach(this::add);
    }

    private void start(String object) {
        Thread.ofVirtual().name("work " + object).start(() -> run(object));
    }

    private void run(String object) {
        boolean done = false;
        try {
            done = inItsTurn(object);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException unexpected) {
            LOG.error("{}: failed unexpectedly, will try again", object, unexpected);
        }
        ended(object, done);
    }

    private boolean inItsTurn(String object) throws InterruptedException {
        var wishes = laneOf.apply(object)
                .map(lane -> List.of(Lanes.Wish.exclusive("volume", lane)))
                .orElseGet(List::of);
        try (var _ = lanes.enter("work on " + object, wishes)) {
            places.acquire();
            try {
                return closed || work.apply(object);
            } finally {
                places.release();
            }
        } catch (StowageException.Busy otherStillThere) {
            LOG.warn("{}: {}", object, otherStillThere.getMessage());
            return false;
        }
    }

    private synchronized void ended(String object, boolean done) {
        var item = items.get(object);
        if (item == null) {
            return;
        }
        if (done) {
            item.failures = 0;
        } else if (item.isRetry || item.failures == 0) {
            item.failures++;
        }
        item.isRetry = false;
        item.underWay = false;
        if (closed || done && !item.again) {
            items.remove(object);
        } else if (item.again) {
            item.again = false;
            item.underWay = true;
            start(object);
        } else {
            retries.incrementAndGet();
            var pause = backoff.after(item.failures);
            item.retry = clock.schedule(() -> retry(object), pause.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    /** How many objects something is to be done about. */
    public synchronized int depth() {
        return items.size();
    }

    /** How often something had to be tried again. */
    public long retries() {
        return retries.get();
    }

    /**
     * Begins nothing new and lets what is under way finish.
     *
     * @return whether it finished in time
     */
    public boolean close(Duration patience) throws InterruptedException {
        closed = true;
        clock.shutdownNow();
        return places.tryAcquire(most, patience.toNanos(), TimeUnit.NANOSECONDS);
    }
}
