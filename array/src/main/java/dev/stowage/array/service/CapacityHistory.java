package dev.stowage.array.service;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** How much room there was lately, and when there will be none if that goes on. */
final class CapacityHistory {

    private static final Duration BETWEEN = Duration.ofSeconds(30);
    private static final Duration LONGEST_FORECAST = Duration.ofDays(36_500);
    private static final int LONGEST = 2 * 60 * 24;

    private record Sample(Instant at, long available) {}

    private final Deque<Sample> samples = new ArrayDeque<>();

    /** Remembers it, unless the last one is from just before. */
    synchronized void add(Instant at, long available) {
        var last = samples.peekLast();
        if (last != null && at.isBefore(last.at().plus(BETWEEN))) {
            return;
        }
        samples.addLast(new Sample(at, available));
        if (samples.size() > LONGEST) {
            samples.removeFirst();
        }
    }

    /** How long the room lasts at the rate at which it went in the time before; empty while it does not become less. */
    synchronized Optional<Duration> left(Instant now, long available, Duration before) {
        var since = samples.peekFirst();
        for (Sample sample : samples) {
            if (!sample.at().isAfter(now.minus(before))) {
                since = sample;
            }
        }
        if (since == null || !since.at().isBefore(now) || since.available() <= available) {
            return Optional.empty();
        }
        double gone = (double) since.available() - available;
        double millis = Duration.between(since.at(), now).toMillis();
        return Optional.of(Duration.ofMillis((long) Math.min(LONGEST_FORECAST.toMillis(), available / gone * millis)));
    }
}
