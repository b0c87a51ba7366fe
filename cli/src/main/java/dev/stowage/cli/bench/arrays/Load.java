package dev.stowage.cli.bench.arrays;

import dev.stowage.cli.bench.Callers;
import dev.stowage.cli.bench.Statistics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** What callers that work at the same time took for each thing that they did. */
final class Load {

    private static final Duration FOREVER = Duration.ofDays(1);

    private final Map<String, List<Duration>> durations = new TreeMap<>();
    private final Map<String, Integer> failures = new TreeMap<>();
    private final Map<String, Integer> inTime = new TreeMap<>();
    private final long end;
    private Duration took = Duration.ZERO;

    private Load(long end) {
        this.end = end;
    }

    /** What one caller does again and again; it tells the load what it measured. */
    interface Operation {
        void once(int caller, Load load) throws Exception;
    }

    /** Something that takes time. */
    interface Step {
        void take() throws Exception;
    }

    /** Lets callers work for so long. Whoever has begun then ends; how long that took counts, but not for how many there were in a second. */
    static Load during(int callers, Duration time, Operation operation) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        var load = new Load(end);
        load.run(callers, () -> System.nanoTime() - end < 0, operation);
        load.took = time;
        return load;
    }

    /** Lets callers work until there is nothing more to do. */
    static Load until(int callers, BooleanSupplier more, Operation operation) throws InterruptedException {
        var load = new Load(System.nanoTime() + FOREVER.toNanos());
        load.run(callers, more, operation);
        return load;
    }

    private void run(int callers, BooleanSupplier more, Operation operation) throws InterruptedException {
        var threads = new ArrayList<Thread>();
        long begin = System.nanoTime();
        for (int number = 0; number < callers; number++) {
            int caller = number;
            threads.add(Thread.ofPlatform().name("caller").daemon().start(() -> {
                while (more.getAsBoolean()) {
                    attempt(caller, operation);
                }
            }));
        }
        for (var thread : threads) {
            thread.join();
        }
        took = Duration.ofNanos(System.nanoTime() - begin);
    }

    private void attempt(int caller, Operation operation) {
        try {
            operation.once(caller, this);
        } catch (Exception failure) {
            synchronized (this) {
                failures.merge(Callers.reason(failure), 1, Integer::sum);
            }
        }
    }

    /** Takes a step and remembers how long it took. */
    Duration measure(String what, Step step) throws Exception {
        long begin = System.nanoTime();
        step.take();
        var lasted = Duration.ofNanos(System.nanoTime() - begin);
        synchronized (this) {
            durations.computeIfAbsent(what, key -> new ArrayList<>()).add(lasted);
            if (begin + lasted.toNanos() - end < 0) {
                inTime.merge(what, 1, Integer::sum);
            }
        }
        return lasted;
    }

    /** What was measured turned out to be something else. */
    synchronized void rename(String what, Duration lasted, String other) {
        durations.getOrDefault(what, new ArrayList<>()).remove(lasted);
        durations.computeIfAbsent(other, key -> new ArrayList<>()).add(lasted);
    }

    synchronized Optional<Statistics> of(String what) {
        return Optional.ofNullable(durations.get(what))
                .filter(some -> !some.isEmpty())
                .map(Statistics::of);
    }

    synchronized int count(String what) {
        return durations.getOrDefault(what, List.of()).size();
    }

    /** How many of them there were in a second. */
    synchronized double perSecond(String what) {
        return inTime.getOrDefault(what, 0) / (took.toNanos() / 1e9);
    }

    synchronized Map<String, Integer> failures() {
        return new TreeMap<>(failures);
    }

    /** This and what another turn brought. */
    synchronized Load with(Load other) {
        var sum = new Load(end);
        for (var each : List.of(this, other)) {
            each.durations.forEach((what, some) -> sum.durations
                    .computeIfAbsent(what, key -> new ArrayList<>())
                    .addAll(some));
            each.inTime.forEach((what, times) -> sum.inTime.merge(what, times, Integer::sum));
            each.failures.forEach((why, times) -> sum.failures.merge(why, times, Integer::sum));
            sum.took = sum.took.plus(each.took);
        }
        return sum;
    }
}
