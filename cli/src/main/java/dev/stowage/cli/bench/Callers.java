package dev.stowage.cli.bench;

import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Threads that call a driver at the same time, each in its lane. */
public final class Callers {

    private Callers() {}

    /** Lets each lane run so many times; tells how long that took altogether. */
    static Duration run(List<Lane> lanes, int times, Samples samples) throws InterruptedException {
        var start = new CountDownLatch(1);
        var threads = lanes.stream()
                .map(lane -> Thread.ofPlatform().name("caller").daemon().start(() -> {
                    try {
                        start.await();
                    } catch (InterruptedException interrupted) {
                        return;
                    }
                    for (int i = 0; i < times; i++) {
                        once(lane, samples);
                    }
                }))
                .toList();
        long begin = System.nanoTime();
        start.countDown();
        for (var thread : threads) {
            thread.join();
        }
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    private static void once(Lane lane, Samples samples) {
        try {
            lane.before();
            long begin = System.nanoTime();
            lane.run();
            samples.add(Duration.ofNanos(System.nanoTime() - begin));
            lane.after();
        } catch (Exception failure) {
            samples.fail(reason(failure));
            try {
                lane.recover();
            } catch (Exception again) {
                samples.fail("after a failure: " + reason(again));
            }
        }
    }

    /** A failure in few words, without what differs from call to call. */
    public static String reason(Throwable failure) {
        String text = failure instanceof StatusRuntimeException status
                ? status.getStatus().getCode() + ": " + status.getStatus().getDescription()
                : failure.toString();
        String steady =
                text.replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32}", "ID").replaceAll("[0-9]+", "N");
        return steady.length() > 300 ? steady.substring(0, 300) + "…" : steady;
    }
}
