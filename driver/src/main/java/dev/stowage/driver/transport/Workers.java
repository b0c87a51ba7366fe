package dev.stowage.driver.transport;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Platform threads that come and go with the work.
 *
 * <p>Handlers make native calls that may block for long; on virtual threads those would hold up everybody. An idle thread is used
 * before a new one is made, and work beyond the bound waits in a queue.
 */
public final class Workers {

    private static final long IDLE_SECONDS = 20;
    private static final long STACK_BYTES = 256 << 10;

    private Workers() {}

    public static ExecutorService upTo(int threads, String name) {
        var handover = new Handover();
        return new ThreadPoolExecutor(
                0, threads, IDLE_SECONDS, TimeUnit.SECONDS, handover, named(name), (task, pool) -> {
                    if (pool.isShutdown()) {
                        throw new RejectedExecutionException(name + " threads have ended");
                    }
                    handover.enqueue(task);
                });
    }

    public static ThreadFactory named(String name) {
        var number = new AtomicInteger();
        return task -> Thread.ofPlatform()
                .name(name + "-" + number.incrementAndGet())
                .daemon()
                .stackSize(STACK_BYTES)
                .unstarted(task);
    }

    /** Refuses what no idle thread takes at once, which makes the pool start another thread while it may. */
    private static final class Handover extends LinkedTransferQueue<Runnable> {

        @Override
        public boolean offer(Runnable task) {
            return tryTransfer(task);
        }

        void enqueue(Runnable task) {
            super.offer(task);
        }
    }
}
