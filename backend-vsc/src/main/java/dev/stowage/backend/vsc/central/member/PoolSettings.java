package dev.stowage.backend.vsc.central.member;

import dev.stowage.arrayapi.ArrayClient;
import dev.stowage.arrayapi.ArrayPool;
import java.util.Optional;

/**
 * The settings of an array's pool that placement relies on.
 *
 * <p>Volumes are thin: a pool that fills up to its last byte fails the writes of everybody on it at the same moment. Its emergency
 * mode keeps a rest, and tells us to put nothing more there. Whoever has set one keeps it.
 */
final class PoolSettings {

    private static final long GIB = 1L << 30;
    private static final long PART = 100;
    /** Below this, a whole gibibyte is too much to keep, and arrays count in those. */
    private static final long SMALLEST = 20 * GIB;

    private PoolSettings() {}

    /** @return what was changed, in words */
    static Optional<String> correct(ArrayClient client, ArrayPool pool) {
        boolean off = pool.emergencyBytes().filter(bytes -> bytes == 0).isPresent();
        if (!off || pool.capacityBytes() < SMALLEST) {
            return Optional.empty();
        }
        long rest = Math.ceilDiv(pool.capacityBytes(), PART * GIB);
        client.protect(pool.id(), rest);
        return Optional.of(
                "pool %s had no emergency mode and would have filled up to its last byte; it is now in emergency mode with %d GiB left"
                        .formatted(pool.id(), rest));
    }
}
