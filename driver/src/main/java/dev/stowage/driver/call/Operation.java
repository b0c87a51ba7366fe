package dev.stowage.driver.call;

import dev.stowage.core.lane.Lanes.Wish;
import java.util.List;

/**
 * What one RPC does, in three steps: the request is checked and read into the model, the lanes of what it touches are entered, and
 * the work is done. It never locks by itself.
 *
 * @param <Q> the request
 * @param <W> the wish that it was read into
 * @param <R> the response
 */
public interface Operation<Q, W, R> {

    W parse(Q request);

    /** The objects that nobody else may touch meanwhile; none for an operation that only reads. */
    default List<Wish> lanes(W wish) {
        return List.of();
    }

    R perform(W wish);
}
