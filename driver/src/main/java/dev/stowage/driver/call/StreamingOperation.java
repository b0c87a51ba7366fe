package dev.stowage.driver.call;

import dev.stowage.core.lane.Lanes.Wish;
import java.util.List;
import java.util.function.Consumer;

/** An {@link Operation} whose response is a stream. */
public interface StreamingOperation<Q, W, R> {

    W parse(Q request);

    List<Wish> lanes(W wish);

    /** Sends messages at the pace of their receiver; {@code receiver} throws when it is gone, and that must end the work. */
    void perform(W wish, Consumer<R> receiver);
}
