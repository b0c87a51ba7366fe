package dev.stowage.cli.bench;

import dev.stowage.cli.client.CsiClient;
import dev.stowage.core.volume.Sizes;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The one time in a volume's life that its filesystem is made. The reference makes none: its volumes are directories. */
final class FirstStage implements Workload {

    private static final long SIZE = 64 * Sizes.MIB;

    @Override
    public String title() {
        return "first stage (makes the filesystem), ext4";
    }

    @Override
    public boolean counts() {
        return false;
    }

    @Override
    public Lane lane(DriverUnderTest driver, int number) {
        return new NewVolume(new CsiCalls(driver), number);
    }

    private static final class NewVolume implements Lane {

        private final CsiCalls calls;
        private final int number;
        private final AtomicInteger made = new AtomicInteger();
        private @Nullable Volume volume;

        NewVolume(CsiCalls calls, int number) {
            this.calls = calls;
            this.number = number;
        }

        @Override
        public void before() throws Exception {
            volume = calls.attached("first-" + number + "-" + made.incrementAndGet(), SIZE, CsiClient.mounted("ext4"));
        }

        @Override
        public void run() {
            calls.stage(Objects.requireNonNull(volume));
        }

        @Override
        public void after() {
            if (volume != null) {
                calls.unstage(volume);
                calls.detachAndDelete(volume);
                volume = null;
            }
        }

        @Override
        public void recover() {
            after();
        }
    }
}
