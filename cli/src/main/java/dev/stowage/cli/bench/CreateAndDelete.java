package dev.stowage.cli.bench;

import dev.stowage.cli.client.CsiClient;
import dev.stowage.core.volume.Sizes;
import java.util.concurrent.atomic.AtomicInteger;

/** A new, empty filesystem volume comes and goes. */
final class CreateAndDelete implements Workload {

    private static final long SIZE = 64 * Sizes.MIB;

    @Override
    public String title() {
        return "create + delete";
    }

    @Override
    public Lane lane(DriverUnderTest driver, int number) {
        var calls = new CsiCalls(driver);
        var made = new AtomicInteger();
        return () -> calls.delete(
                calls.create("create-" + number + "-" + made.incrementAndGet(), SIZE, CsiClient.mounted("ext4")));
    }
}
