package dev.stowage.conformance.crash;

import dev.stowage.cli.client.CsiClient;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.function.Function;

/** The way to a driver that comes and goes. */
final class Connection {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private volatile CsiClient current;

    Connection(CsiClient first) {
        current = first;
    }

    void renew(CsiClient next) {
        current = next;
    }

    /** Makes a call, again and again as long as there is nobody to answer or somebody else is served first. */
    <T> T call(Function<CsiClient, T> call) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                return call.apply(current);
            } catch (StatusRuntimeException failure) {
                boolean worthwhile = switch (failure.getStatus().getCode()) {
                    case UNAVAILABLE, ABORTED, CANCELLED -> true;
                    // While another program is being started, a mount or a device can be found in use for a moment.
                    case FAILED_PRECONDITION -> true;
                    default -> false;
                };
                if (!worthwhile || System.nanoTime() > deadline) {
                    throw failure;
                }
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
