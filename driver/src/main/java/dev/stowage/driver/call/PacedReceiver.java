package dev.stowage.driver.call;

import dev.stowage.core.error.StowageException;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Sends at the pace of the receiver, so that a long stream is never gathered in memory.
 *
 * <p>The sender's thread waits by looking again and again: gRPC calls its ready handler on the very thread that is busy sending.
 */
final class PacedReceiver<R> implements Consumer<R> {

    /** The receiver cancelled, or its connection broke. */
    static final class Gone extends RuntimeException {
        Gone() {
            super("the receiver of the stream is gone", null, false, false);
        }
    }

    private static final long SHORTEST_PAUSE = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(5);

    private final ServerCallStreamObserver<R> out;
    private final Duration patience;

    PacedReceiver(ServerCallStreamObserver<R> out, Duration patience) {
        this.out = out;
        this.patience = patience;
    }

    @Override
    public void accept(R message) {
        long since = System.nanoTime();
        long pause = SHORTEST_PAUSE;
        while (!out.isReady()) {
            requirePresent();
            if (System.nanoTime() - since > patience.toNanos()) {
                throw StowageException.unavailable(
                        "the receiver of the stream took nothing for %d seconds; continue from the last offset received",
                        patience.toSeconds());
            }
            LockSupport.parkNanos(pause);
            pause = Math.min(pause * 2, LONGEST_PAUSE);
        }
        requirePresent();
        out.onNext(message);
    }

    private void requirePresent() {
        if (out.isCancelled()) {
            throw new Gone();
        }
    }
}
