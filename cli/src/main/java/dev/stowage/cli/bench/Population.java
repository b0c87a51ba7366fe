package dev.stowage.cli.bench;

import dev.stowage.cli.client.CsiClient;
import dev.stowage.core.volume.Sizes;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The volumes that are merely present: made through CSI, never used, and gone with the directory at the end. */
final class Population {

    private static final long SIZE = Sizes.MIB;
    private static final int CALLERS = 8;

    private final Duration patience;
    private final Progress progress;
    private final Map<DriverUnderTest, AtomicInteger> present = new ConcurrentHashMap<>();

    Population(Duration patience, Progress progress) {
        this.patience = patience;
        this.progress = progress;
    }

    int of(DriverUnderTest driver) {
        return count(driver).get();
    }

    private AtomicInteger count(DriverUnderTest driver) {
        return present.computeIfAbsent(driver, absent -> new AtomicInteger());
    }

    /** Fills up all drivers at once; a driver that is too slow ends up with fewer. */
    Map<DriverUnderTest, Samples> fill(List<? extends DriverUnderTest> drivers, int level) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        progress.step("making " + level + " volumes on " + drivers);
        var failures = new HashMap<DriverUnderTest, Samples>();
        try (var threads = Executors.newFixedThreadPool(CALLERS * drivers.size())) {
            for (var driver : drivers) {
                var failed = new Samples();
                failures.put(driver, failed);
                var next = new AtomicInteger(of(driver));
                for (int i = 0; i < CALLERS; i++) {
                    threads.execute(() -> fill(driver, next, level, deadline, failed));
                }
            }
            threads.shutdown();
            while (!threads.awaitTermination(200, TimeUnit.MILLISECONDS)) {
                progress.moved("making " + level + " volumes: " + reached(drivers));
            }
        }
        progress.step("made " + reached(drivers));
        return failures;
    }

    private void fill(DriverUnderTest driver, AtomicInteger next, int level, long deadline, Samples failed) {
        var calls = new CsiCalls(driver);
        for (int number = next.getAndIncrement();
                number < level && System.nanoTime() < deadline;
                number = next.getAndIncrement()) {
            try {
                calls.create("present-" + number, SIZE, CsiClient.mounted("ext4"));
                count(driver).incrementAndGet();
            } catch (RuntimeException failure) {
                failed.fail("making volumes: " + Callers.reason(failure));
            }
        }
    }

    private String reached(List<? extends DriverUnderTest> drivers) {
        return String.join(
                ", ", drivers.stream().map(driver -> driver + " " + of(driver)).toList());
    }
}
