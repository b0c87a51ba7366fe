package dev.stowage.iscsi.qemu;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends a conversation that takes too long by closing its channel, which its reader notices. */
final class TimeLimit implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(TimeLimit.class);
    private static final ScheduledExecutorService CLOCK = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("iscsi-time-limit").factory());

    private final Future<?> closing;

    TimeLimit(Closeable channel, Duration limit) {
        closing = CLOCK.schedule(() -> close(channel), limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static void close(Closeable channel) {
        try {
            channel.close();
        } catch (IOException failure) {
            log.debug("a conversation that took too long could not be ended", failure);
        }
    }

    @Override
    public void close() {
        closing.cancel(false);
    }
}
