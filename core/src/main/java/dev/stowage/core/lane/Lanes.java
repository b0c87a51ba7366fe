package dev.stowage.core.lane;

import dev.stowage.core.error.StowageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lanes keep operations on one object from overlapping.
 *
 * <p>An operation names all the objects it touches and enters all their lanes or none. It waits only a moment: a caller that is told
 * to come back holds no thread here, and operations on other objects never notice. The lock inside guards a map and is never held
 * during work.
 */
public final class Lanes {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, Occupancy> occupied = new HashMap<>();
    private final Duration patience;

    public Lanes(Duration patience) {
        this.patience = patience;
    }

    /** A wish to enter the lane of one object; shared by those who only read what never changes. */
    public record Wish(String object, boolean shared) {

        public static Wish exclusive(String kind, Object id) {
            return new Wish(kind + " " + id, false);
        }

        public static Wish shared(String kind, Object id) {
            return new Wish(kind + " " + id, true);
        }
    }

    /** Lanes that are held until closed. */
    public interface Held extends AutoCloseable {
        @Override
        void close();
    }

    private record Occupancy(String operation, int readers) {
        boolean admits(boolean shared) {
            return shared && readers > 0;
        }
    }

    /**
     * Enters every lane, or none.
     *
     * @throws StowageException.Busy when one of them stays occupied
     */
    public Held enter(String operation, List<Wish> wishes) {
        var distinct = onePerObject(wishes);
        lock.lock();
        try {
            long left = patience.toNanos();
            for (Wish obstacle = obstacle(distinct); obstacle != null; obstacle = obstacle(distinct)) {
                if (left <= 0) {
                    var holder = occupied.get(obstacle.object());
                    throw StowageException.busy(
                            "%s: %s is under way; repeat the call when it is done",
                            obstacle.object(), holder == null ? "another operation" : holder.operation());
                }
                left = changed.awaitNanos(left);
            }
            occupy(operation, distinct);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw StowageException.unavailable("%s was interrupted while it waited for its turn", operation);
        } finally {
            lock.unlock();
        }
        return () -> leave(distinct);
    }

    /** Enters every lane, or none if one of them is occupied; does not wait. */
    public Optional<Held> enterIfFree(String operation, List<Wish> wishes) {
        var distinct = onePerObject(wishes);
        lock.lock();
        try {
            if (obstacle(distinct) != null) {
                return Optional.empty();
            }
            occupy(operation, distinct);
        } finally {
            lock.unlock();
        }
        return Optional.of(() -> leave(distinct));
    }

    private void occupy(String operation, List<Wish> wishes) {
        for (Wish wish : wishes) {
            occupied.merge(
                    wish.object(),
                    new Occupancy(operation, wish.shared() ? 1 : 0),
                    (before, mine) -> new Occupancy(before.operation(), before.readers() + 1));
        }
    }

    /** An operation that names an object twice must not meet itself; the stronger wish counts. */
    private static List<Wish> onePerObject(List<Wish> wishes) {
        var shared = new LinkedHashMap<String, Boolean>();
        wishes.forEach(wish -> shared.merge(wish.object(), wish.shared(), Boolean::logicalAnd));
        return shared.entrySet().stream()
                .map(entry -> new Wish(entry.getKey(), entry.getValue()))
                .toList();
    }

    private @Nullable Wish obstacle(List<Wish> wishes) {
        for (Wish wish : wishes) {
            var holder = occupied.get(wish.object());
            if (holder != null && !holder.admits(wish.shared())) {
                return wish;
            }
        }
        return null;
    }

    private void leave(List<Wish> wishes) {
        lock.lock();
        try {
            for (Wish wish : wishes) {
                occupied.computeIfPresent(
                        wish.object(),
                        (object, now) -> now.readers() > 1 ? new Occupancy(now.operation(), now.readers() - 1) : null);
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** What is under way, for people who wonder. */
    public List<String> underWay() {
        lock.lock();
        try {
            var list = new ArrayList<String>();
            occupied.forEach((object, by) -> list.add(object + ": " + by.operation()));
            return list;
        } finally {
            lock.unlock();
        }
    }
}
