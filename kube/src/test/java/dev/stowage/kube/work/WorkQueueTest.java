package dev.stowage.kube.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WorkQueueTest {

    private static final Backoff LONG = new Backoff(Duration.ofHours(1), Duration.ofHours(1));
    private static final Backoff SHORT = new Backoff(Duration.ofMillis(1), Duration.ofMillis(4));
    private static final Function<String, Optional<String>> NO_LANE = object -> Optional.empty();

    @Test
    void anObjectThatComesUpWhileItIsWorkedOnIsWorkedOnOnceMoreAndNeverTwiceAtOnce() throws InterruptedException {
        var begun = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        var runs = new CountDownLatch(2);
        var atOnce = new AtomicInteger();
        var most = new AtomicInteger();
        var queue = new WorkQueue(10, LONG, NO_LANE, object -> {
            most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            begun.countDown();
            await(goOn);
            atOnce.decrementAndGet();
            runs.countDown();
            return true;
        });
        queue.add("a");
        await(begun);
        queue.add("a");
        queue.add("a");
        goOn.countDown();
        await(runs);
        assertThat(queue.close(Duration.ofSeconds(10))).isTrue();
        assertThat(most.get()).isEqualTo(1);
        assertThat(runs.getCount()).isZero();
    }

    @Test
    void objectsInOneLaneNeverOverlapAndOthersDo() throws InterruptedException {
        var together = new CountDownLatch(3);
        var inLane = new AtomicInteger();
        var most = new AtomicInteger();
        var done = new CountDownLatch(22);
        var queue = new WorkQueue(
                100, LONG, object -> object.startsWith("x") ? Optional.of("lane") : Optional.empty(), object -> {
                    if (object.startsWith("x")) {
                        most.accumulateAndGet(inLane.incrementAndGet(), Math::max);
                    }
                    together.countDown();
                    await(together); // two free ones and the first of the lane are under way together
                    inLane.decrementAndGet();
                    done.countDown();
                    return true;
                });
        for (int i = 0; i < 20; i++) {
            queue.add("x" + i);
        }
        queue.add("free-1");
        queue.add("free-2");
        await(done);
        assertThat(most.get()).isEqualTo(1);
    }

    @Test
    void noMoreThanAllowedAreUnderWayAtOnce() throws InterruptedException {
        var atOnce = new AtomicInteger();
        var most = new AtomicInteger();
        var done = new CountDownLatch(50);
        var queue = new WorkQueue(3, LONG, NO_LANE, object -> {
            most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            Thread.yield();
            atOnce.decrementAndGet();
            done.countDown();
            return true;
        });
        for (int i = 0; i < 50; i++) {
            queue.add("object-" + i);
        }
        await(done);
        assertThat(most.get()).isBetween(1, 3);
    }

    @Test
    void whatFailsIsTriedAgainUntilItWorks() throws InterruptedException {
        var tries = new AtomicInteger();
        var done = new CountDownLatch(1);
        var queue = new WorkQueue(1, SHORT, NO_LANE, object -> {
            if (tries.incrementAndGet() < 5) {
                if (tries.get() == 2) {
                    throw new IllegalStateException("unexpected");
                }
                return false;
            }
            done.countDown();
            return true;
        });
        queue.add("a");
        await(done);
        assertThat(queue.retries()).isEqualTo(4);
    }

    @Test
    void muchThatHappensDoesNotMakeItWaitLonger() throws InterruptedException {
        var tries = new AtomicInteger();
        var queue = new WorkQueue(1, new Backoff(Duration.ofMillis(200), Duration.ofHours(1)), NO_LANE, object -> {
            tries.incrementAndGet();
            return false;
        });
        for (int i = 1; i <= 30; i++) {
            queue.add("a");
            while (tries.get() < i) {
                Thread.onSpinWait();
            }
        }
        int soFar = tries.get();
        while (tries.get() == soFar) {
            Thread.sleep(1);
        }
    }

    @Test
    void whatWaitsIsTriedAtOnceWhenItNeedNotWaitAnyLonger() throws InterruptedException {
        var tries = new CopyOnWriteArrayList<String>();
        var first = new CountDownLatch(2);
        var second = new CountDownLatch(4);
        var queue = new WorkQueue(10, LONG, NO_LANE, object -> {
            tries.add(object);
            first.countDown();
            second.countDown();
            return false;
        });
        queue.add("a");
        queue.add("b");
        await(first);
        while (queue.retries() < 2) {
            Thread.onSpinWait();
        }
        queue.wakeAll();
        await(second);
        assertThat(tries).containsExactlyInAnyOrderElementsOf(List.of("a", "a", "b", "b"));
    }

    @Test
    void pausesDoubleUpToTheLongest() {
        var backoff = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5));
        assertThat(backoff.after(1)).isEqualTo(Duration.ofSeconds(1));
        assertThat(backoff.after(2)).isEqualTo(Duration.ofSeconds(2));
        assertThat(backoff.after(5)).isEqualTo(Duration.ofSeconds(16));
        assertThat(backoff.after(1000)).isEqualTo(Duration.ofMinutes(5));
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
