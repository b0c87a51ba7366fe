package dev.stowage.arrayapi;

import dev.stowage.arrayapi.ArrayException.Cause;
import dev.stowage.arrayapi.ArrayException.Unreachable;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Lets so many calls at once through to one array, and none for a while when it is sick.
 *
 * <p>A sick array costs its callers one time limit each; without this, all threads would soon wait for it. After some failures in a row
 * calls are refused at once. When the pause is over one call is let through to see, and its outcome decides for all.
 */
final class Gate {

    private static final int FAILURES = 3;
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    /** An answer that takes longer is not what an array is like that is well and has not too much to do. */
    private static final Duration USUAL = Duration.ofSeconds(1);

    private final String array;
    private final Semaphore places;
    private final Duration patience;
    private final LongSupplier nanos;

    private int failures;
    private Duration pause = Duration.ZERO;
    private long closedUntil;
    private String lastFailure = "";
    /** The calls that are under way, the oldest first. */
    private final Set<Passage> passages = new LinkedHashSet<>();

    /** A call that is under way; each is one of its own, whatever the time. */
    private static final class Passage {
        private final long since;

        private Passage(long since) {
            this.since = since;
        }
    }

    /** @param patience how long a call waits for its turn */
    Gate(String array, int most, Duration patience, LongSupplier nanos) {
        this.array = array;
        this.places = new Semaphore(most, true);
        this.patience = patience;
        this.nanos = nanos;
    }

    <T> T pass(Supplier<T> call) {
        admit();
        enter();
        var passage = begun();
        try {
            T answer = call.get();
            healthy();
            return answer;
        } catch (Unreachable failed) {
            failed(failed);
            throw failed;
        } catch (ArrayException.Refused answered) {
            healthy();
            throw answered;
        } finally {
            ended(passage);
            places.release();
        }
    }

    private synchronized Passage begun() {
        var passage = new Passage(nanos.getAsLong());
        passages.add(passage);
        return passage;
    }

    private synchronized void ended(Passage passage) {
        passages.remove(passage);
    }

    /** How many calls are under way. */
    synchronized int underWay() {
        return passages.size();
    }

    /** How many calls wait for their turn. */
    int waiting() {
        return places.getQueueLength();
    }

    /** Whether calls are refused at once, because too many failed. */
    synchronized boolean closed() {
        return failures >= FAILURES;
    }

    /** Whether a call would have its answer soon, as far as that can be told by those before it. */
    synchronized boolean prompt() {
        long now = nanos.getAsLong();
        return !closed() && (passages.isEmpty() || now - passages.iterator().next().since < USUAL.toNanos());
    }

    private synchronized void admit() {
        if (!closed()) {
            return;
        }
        long left = closedUntil - nanos.getAsLong();
        if (left > 0) {
            throw new Unreachable(
                    Cause.LEFT_ALONE,
                    "array %s: left alone for %d s more, after %d failures; the last: %s"
                            .formatted(array, 1 + TimeUnit.NANOSECONDS.toSeconds(left), failures, lastFailure),
                    null);
        }
        // This call looks how it is; the others wait for what it finds.
        closedUntil = nanos.getAsLong() + LONGEST_PAUSE.toNanos();
    }

    private void enter() {
        try {
            if (!places.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new Unreachable(
                        Cause.LEFT_ALONE,
                        "array %s: too many calls wait for it; none had its turn for %s".formatted(array, patience),
                        null);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new Unreachable(
                    Cause.LEFT_ALONE, "array %s: interrupted before it was asked".formatted(array), interrupted);
        }
    }

    private synchronized void healthy() {
        failures = 0;
        pause = Duration.ZERO;
    }

    private synchronized void failed(Unreachable failure) {
        failures++;
        lastFailure = String.valueOf(failure.getMessage());
        if (failures >= FAILURES) {
            pause = pause.isZero() ? FIRST_PAUSE : min(pause.multipliedBy(2), LONGEST_PAUSE);
            closedUntil = nanos.getAsLong() + pause.toNanos();
        }
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
