package dev.stowage.manager.driver;

import io.fabric8.kubernetes.api.model.Quantity;

/**
 * What the sidecars need for so many volumes.
 *
 * <p>They keep every volume of the cluster in memory. The number is rounded up to a power of two, so that a driver is not restarted for
 * each volume that is made.
 */
record Sizing(long volumes) {

    private static final long FEWEST = 128;
    private static final long BASE_MEMORY = 48L << 20;
    private static final long MEMORY_FOR_A_VOLUME = 24L << 10;
    private static final long MEMORY_STEP = 16L << 20;

    static Sizing of(long present) {
        long rounded = FEWEST;
        while (rounded < present) {
            rounded *= 2;
        }
        return new Sizing(rounded);
    }

    Quantity memory() {
        long bytes = BASE_MEMORY + volumes * MEMORY_FOR_A_VOLUME;
        return new Quantity(String.valueOf(Math.ceilDiv(bytes, MEMORY_STEP) * (MEMORY_STEP >> 20)), "Mi");
    }

    int workers() {
        return (int) Math.clamp(volumes / 64, 10, 100);
    }

    /** Requests to the API server in a second. */
    int rate() {
        return (int) Math.clamp(volumes / 16, 20, 500);
    }
}
