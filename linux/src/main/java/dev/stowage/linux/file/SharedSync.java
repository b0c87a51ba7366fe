package dev.stowage.linux.file;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One sync serves all who wait for it.
 *
 * <p>What was done before a sync began is on stable storage when it ends. So whoever comes while one is running waits for the next, and
 * that one is made once for all of them.
 */
final class SharedSync {

    private final Runnable sync;
    private final ReentrantLock running = new ReentrantLock();
    private final Object guard = new Object();
    private @Nullable CompletableFuture<Void> next;

    SharedSync(Runnable sync) {
        this.sync = sync;
    }

    void run() {
        var made = new CompletableFuture<Void>();
        CompletableFuture<Void> mine;
        synchronized (guard) {
            mine = next == null ? made : next;
            next = mine;
        }
        if (mine == made) {
            lead(mine);
        }
        try {
            mine.join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
        }
    }

    private void lead(CompletableFuture<Void> mine) {
        running.lock();
        try {
            synchronized (guard) {
                // Who comes from now on may have done something that this sync does not see.
                next = null;
            }
            sync.run();
            mine.complete(null);
        } catch (RuntimeException | Error failure) {
            mine.completeExceptionally(failure);
        } finally {
            running.unlock();
        }
    }
}
