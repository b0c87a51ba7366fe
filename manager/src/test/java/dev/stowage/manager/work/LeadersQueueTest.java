package dev.stowage.manager.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.error.StowageException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeadersQueueTest {

    private static final int PATIENCE_SECONDS = 30;

    private final AtomicInteger asked = new AtomicInteger();
    private final BlockingQueue<String> worked = new LinkedBlockingQueue<>();
    private volatile int lateRenewals;
    private final LeadersQueue queue = new LeadersQueue("things", () -> asked.incrementAndGet() > lateRenewals);

    @AfterEach
    void end() {
        queue.close();
    }

    private String next() throws InterruptedException {
        return String.valueOf(worked.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
    }

    @Test
    void whatComesUpWhileARenewalIsLateIsLookedAtWhenItGotThrough() throws InterruptedException {
        lateRenewals = 1;
        queue.begin(worked::add);
        queue.add("one");
        assertThat(next()).isEqualTo("one");
        assertThat(asked).hasValue(2);
    }

    @Test
    void whatFailsComesUpAgain() throws InterruptedException {
        var failures = new AtomicInteger();
        queue.begin(object -> {
            if (failures.incrementAndGet() == 1) {
                throw StowageException.unavailable("the API server is away");
            }
            return worked.add(object);
        });
        queue.add("one");
        assertThat(next()).isEqualTo("one");
        assertThat(failures).hasValue(2);
    }

    @Test
    void whatIsToComeUpLaterDoes() throws InterruptedException {
        queue.begin(worked::add);
        queue.add("one", Duration.ofMillis(1));
        assertThat(next()).isEqualTo("one");
    }

    @Test
    void whatIsToldBeforeItBeginsIsNotKept() throws InterruptedException {
        queue.add("early");
        queue.begin(worked::add);
        queue.add("later");
        assertThat(next()).isEqualTo("later");
        queue.close();
        assertThat(worked).isEmpty();
    }

    @Test
    void oneThatWasClosedBeforeItBeganDoesNotBegin() {
        queue.close();
        queue.begin(worked::add);
        queue.add("one");
        assertThat(List.copyOf(worked)).isEmpty();
        assertThat(asked).hasValue(0);
    }
}
