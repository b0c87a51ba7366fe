package dev.stowage.driver;

import java.time.Duration;

/**
 * Gives memory back after a burst of work. The serial collector lets its heap grow to the limit before it looks for what has died, and
 * then keeps it; on a node that memory belongs to the pods.
 */
final class IdleHeap implements Runnable {

    private static final Duration PAUSE = Duration.ofSeconds(10);
    private static final long WORTH_IT = 24 << 20;
    private static final long IDLE = 1 << 20;

    private final Runtime runtime = Runtime.getRuntime();
    private long before;
    private long left;

    static void watch() {
        Thread.ofPlatform().daemon().name("idle-heap").start(new IdleHeap());
    }

    @Override
    public void run() {
        while (true) {
            try {
                Thread.sleep(PAUSE);
            } catch (InterruptedException end) {
                return;
            }
            look();
        }
    }

    /** Collects when the heap has grown and nobody has used much of it since the last look. */
    private void look() {
        long taken = runtime.totalMemory();
        long used = taken - runtime.freeMemory();
        if (taken > Math.max(left, WORTH_IT) && Math.abs(used - before) < IDLE) {
            System.gc();
            left = runtime.totalMemory();
            used = left - runtime.freeMemory();
        }
        before = used;
    }
}
