package dev.stowage.backend.local.cluster.node;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Things to look at. Each is looked at by one thread at a time, and once more if it changed meanwhile; what fails comes again after a
 * pause that grows.
 *
 * <p>Platform threads, because the work ends in blocking system calls, which would pin virtual ones.
 */
final class WorkQueue implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(WorkQueue.class);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(15);
    private static final int DOUBLINGS = 7;
    private static final int THREADS = 16;

    /** Where one thing stands: it is being looked at, or it waits for its pause to end. */
    private static final class Entry {
        private boolean changedMeanwhile;
        private int failures;
        private @Nullable Future<?> pausing;
    }

    private final Map<String, Entry> entries = new HashMap<>();
    private final Consumer<String> work;
    private final ThreadPoolExecutor threads;
    private final ScheduledThreadPoolExecutor pauses;

    WorkQueue(String name, Consumer<String> work) {
        this.work = work;
        var factory = Thread.ofPlatform().daemon().name(name + "-", 0).factory();
        this.threads = new ThreadPoolExecutor(0, THREADS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), factory);
        this.pauses = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name(name + "-pauses").factory());
        pauses.setRemoveOnCancelPolicy(true);
    }

    /** Has it looked at soon; a change ends a pause. */
    synchronized void add(String key) {
        var entry = entries.get(key);
        if (entry == null) {
            entries.put(key, new Entry());
            run(key);
        } else if (entry.pausing != null && entry.pausing.cancel(false)) {
            entry.pausing = null;
            run(key);
        } else {
            entry.changedMeanwhile = true;
        }
    }

    private synchronized void run(String key) {
        try {
            threads.execute(() -> look(key));
        } catch (RejectedExecutionException allBusy) {
            later(key, FIRST_PAUSE);
        }
    }

    private void later(String key, Duration pause) {
        var entry = entries.get(key);
        if (entry != null && !pauses.isShutdown()) {
            entry.pausing = pauses.schedule(() -> resume(key), pause.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private synchronized void resume(String key) {
        var entry = entries.get(key);
        if (entry != null) {
            entry.pausing = null;
            run(key);
        }
    }

    private void look(String key) {
        boolean failed = false;
        try {
            work.accept(key);
        } catch (RuntimeException failure) {
            failed = true;
            log.warn("{}: could not be settled now, will be tried again: {}", key, failure.getMessage());
        }
        next(key, failed);
    }

    private synchronized void next(String key, boolean failed) {
        var entry = entries.get(key);
        if (entry == null) {
            return;
        }
        boolean changed = entry.changedMeanwhile;
        entry.changedMeanwhile = false;
        entry.failures = failed ? entry.failures + 1 : 0;
        if (changed) {
            run(key);
        } else if (failed) {
            later(key, pause(entry.failures));
        } else {
            entries.remove(key);
        }
    }

    private static Duration pause(int failures) {
        var pause = FIRST_PAUSE.multipliedBy(1L << Math.min(failures - 1, DOUBLINGS));
        return pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
    }

    /** Finishes what is under way. */
    @Override
    public void close() {
        pauses.shutdownNow();
        threads.shutdown();
        try {
            if (!threads.awaitTermination(30, TimeUnit.SECONDS)) {
                log.warn("some orders are still being fulfilled; they are finished after the next start");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
