package dev.stowage.backend.local.cluster.central;

import dev.stowage.core.error.StowageException;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes those who wait for something to change. */
final class Notice {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long changes;

    /** What has happened so far; taken before one looks, so that nothing is missed between looking and waiting. */
    long mark() {
        lock.lock();
        try {
            return changes;
        } finally {
            lock.unlock();
        }
    }

    void give() {
        lock.lock();
        try {
            changes++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until something has happened since the mark, but no longer than that. */
    void await(long mark, Duration longest) {
        lock.lock();
        try {
            long left = longest.toNanos();
            while (changes == mark && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw StowageException.unavailable("the call was interrupted while it waited for a node");
        } finally {
            lock.unlock();
        }
    }
}
