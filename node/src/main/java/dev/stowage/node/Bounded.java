package dev.stowage.node;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Looks at things that may never answer, such as a filesystem whose device hangs.
 *
 * <p>Each look has a thread of its own, because a hanging system call can be neither interrupted nor shared. While one hangs, no other
 * is begun for the same object, so that they do not pile up.
 */
final class Bounded<K, T> {

    private final Map<K, FutureTask<T>> underWay = new ConcurrentHashMap<>();
    private final Duration limit;

    Bounded(Duration limit) {
        this.limit = limit;
    }

    /** The answer, or empty when none came in time. */
    Optional<T> look(K object, Callable<T> look) {
        var mine = new FutureTask<T>(() -> {
            try {
                return look.call();
            } finally {
                // Before the answer is out: whoever has it and asks again gets a new one.
                underWay.remove(object);
            }
        });
        var before = underWay.putIfAbsent(object, mine);
        var task = before == null ? mine : before;
        if (before == null) {
            Thread.ofPlatform().daemon().name("look at " + object).start(mine);
        }
        try {
            return Optional.of(task.get(limit.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException hangs) {
            return Optional.empty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException("looking at " + object + " failed", failed.getCause());
        }
    }
}
