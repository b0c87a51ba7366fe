package dev.stowage.linux.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SharedSyncTest {

    private static final int CALLERS = 8;

    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final ExecutorService callers = Executors.newThreadPerTaskExecutor(task -> {
        var thread = Thread.ofPlatform().unstarted(task);
        threads.add(thread);
        return thread;
    });
    private final Semaphore began = new Semaphore(0);
    private final Semaphore mayEnd = new Semaphore(0);
    private final AtomicInteger syncs = new AtomicInteger();
    private volatile boolean fails;

    private final SharedSync shared = new SharedSync(() -> {
        int number = syncs.incrementAndGet();
        began.release();
        mayEnd.acquireUninterruptibly();
        if (fails) {
            throw new IllegalStateException("sync " + number);
        }
    });

    @AfterEach
    void end() {
        mayEnd.release(2 * CALLERS);
        callers.close();
    }

    /** The number of the sync that had ended when the call returned. */
    private Future<Integer> call() {
        Callable<Integer> call = () -> {
            shared.run();
            return syncs.get();
        };
        return callers.submit(call);
    }

    private List<Future<Integer>> callsDuringTheFirst() {
        call();
        began.acquireUninterruptibly();
        var waiting = new ArrayList<Future<Integer>>();
        for (int i = 0; i < CALLERS; i++) {
            waiting.add(call());
        }
        while (threads.stream().anyMatch(thread -> thread.getState() != Thread.State.WAITING)) {
            Thread.onSpinWait();
        }
        return waiting;
    }

    @Test
    void whoComesDuringASyncIsServedByTheNextAndAllByOne() throws Exception {
        var waiting = callsDuringTheFirst();
        assertThat(waiting).noneMatch(Future::isDone);
        mayEnd.release();
        began.acquireUninterruptibly();
        // The second has begun; none of those who came before it may return until it ends.
        assertThat(waiting).noneMatch(Future::isDone);
        mayEnd.release(CALLERS);
        for (var call : waiting) {
            assertThat(call.get()).isGreaterThanOrEqualTo(2);
        }
        assertThat(syncs.get()).isEqualTo(2);
    }

    @Test
    void aFailureReachesAllWhoWaitedForItAndNobodyElse() throws Exception {
        fails = true;
        var waiting = callsDuringTheFirst();
        mayEnd.release(1 + CALLERS);
        int failed = 0;
        for (var call : waiting) {
            try {
                call.get();
            } catch (ExecutionException failure) {
                assertThat(failure.getCause()).isInstanceOf(IllegalStateException.class);
                failed++;
            }
        }
        assertThat(failed).isEqualTo(CALLERS);
        fails = false;
        mayEnd.release(CALLERS);
        assertThat(call().get()).isPositive();
    }
}
