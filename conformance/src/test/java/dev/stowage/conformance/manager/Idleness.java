package dev.stowage.conformance.manager;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** A manager that has nothing to do does nothing. */
public final class Idleness {

    private static final long PAUSE_MILLIS = 2_000;

    /** Caches tell of everything again every ten minutes, so that an hour sees more than that nothing happens. */
    private static final Duration LOOK = Duration.ofSeconds(Integer.getInteger("stowage.idle.seconds", 5));

    private Idleness() {}

    public static void assertThatItWritesNothing(RunningManager manager) {
        assertThatNothingIsWrittenOf(manager, () -> {});
    }

    /** @param disturbance something that happens, and is no reason to write anything */
    public static void assertThatNothingIsWrittenOf(RunningManager manager, Runnable disturbance) {
        var writes = settledWrites(manager);
        disturbance.run();
        sleep(LOOK.toMillis());
        System.out.printf("an idle manager was looked at for %d s%n", LOOK.toSeconds());
        assertThat(writes(manager)).as("writes of an idle manager").isEqualTo(writes);
    }

    /** Waits until the last of it is told. */
    private static Map<String, Double> settledWrites(RunningManager manager) {
        Map<String, Double> before;
        var now = writes(manager);
        do {
            before = now;
            sleep(PAUSE_MILLIS);
            now = writes(manager);
        } while (!before.equals(now));
        return now;
    }

    /** Of the client that works; elections have another. Whoever watches asks again now and then, which is no write. */
    private static Map<String, Double> writes(RunningManager manager) {
        var writes = new TreeMap<String, Double>();
        manager.figures().series().forEach((name, count) -> {
            if (name.startsWith("rest_client_requests_total{client=\"work\"") && !name.contains("method=\"GET\"")) {
                writes.put(name, count);
            }
        });
        return writes;
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
