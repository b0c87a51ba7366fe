package dev.stowage.kube.work;

import java.time.Duration;

/** How long to wait after so many failures in a row: twice as long each time, up to a bound. */
public record Backoff(Duration first, Duration longest) {

    private static final int MOST_DOUBLINGS = 40;

    public Duration after(int failures) {
        double doublings = Math.min(Math.max(failures - 1, 0), MOST_DOUBLINGS);
        double nanos = first.toNanos() * Math.pow(2, doublings);
        return nanos >= longest.toNanos() ? longest : Duration.ofNanos((long) nanos);
    }
}
