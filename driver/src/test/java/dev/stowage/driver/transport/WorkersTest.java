package dev.stowage.driver.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WorkersTest {

    @Test
    void workBeyondTheBoundWaitsAndIsDone() throws Exception {
        var workers = Workers.upTo(3, "test");
        var go = new CountDownLatch(1);
        var done = new CountDownLatch(10);
        var running = new AtomicInteger();
        Set<Integer> seen = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < 10; i++) {
            workers.execute(() -> {
                seen.add(running.incrementAndGet());
                awaitQuietly(go);
                running.decrementAndGet();
                done.countDown();
            });
        }
        go.countDown();
        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(seen).allMatch(count -> count <= 3);
        workers.shutdown();
    }

    @Test
    void anIdleThreadIsUsedBeforeANewOneIsMade() throws Exception {
        var workers = Workers.upTo(100, "test");
        Set<String> names = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < 50; i++) {
            var done = new CountDownLatch(1);
            workers.execute(() -> {
                names.add(Thread.currentThread().getName());
                done.countDown();
            });
            assertThat(done.await(5, TimeUnit.SECONDS)).isTrue();
            Thread.sleep(2);
        }
        assertThat(names).hasSizeLessThan(10);
        workers.shutdown();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
