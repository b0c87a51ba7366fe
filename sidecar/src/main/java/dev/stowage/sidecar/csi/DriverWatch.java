package dev.stowage.sidecar.csi;

import io.grpc.ConnectivityState;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices when a driver goes and comes back.
 *
 * <p>One that comes back may be another version that can do other things. Then a sidecar has to start anew; otherwise it goes on, and
 * what failed meanwhile is tried at once.
 */
public final class DriverWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DriverWatch.class);

    private final DriverConnection driver;
    private final DriverFeatures known;
    private final Duration timeout;
    private final Runnable returned;
    private final Consumer<String> changed;
    private final Thread watcher;

    private DriverWatch(
            DriverConnection driver,
            DriverFeatures known,
            Duration timeout,
            Runnable returned,
            Consumer<String> changed) {
        this.driver = driver;
        this.known = known;
        this.timeout = timeout;
        this.returned = returned;
        this.changed = changed;
        this.watcher = Thread.ofVirtual().name("driver-watch").unstarted(this::watch);
    }

    /**
     * Starts to watch.
     *
     * @param returned is called when the driver is back and can do what it could
     * @param changed is told when it is not the driver that it was
     */
    public static DriverWatch start(
            DriverConnection driver,
            DriverFeatures known,
            Duration timeout,
            Runnable returned,
            Consumer<String> changed) {
        var watch = new DriverWatch(driver, known, timeout, returned, changed);
        watch.watcher.start();
        return watch;
    }

    private void watch() {
        try {
            while (true) {
                awaitLoss();
                LOG.info("the connection to {} ended; waiting for the driver", known.name());
                if (driver.awaitReady(timeout, () -> false)) {
                    welcome();
                }
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** Told by the connection itself: a driver may be back before anybody has called it. */
    private void awaitLoss() throws InterruptedException {
        var lost = new CountDownLatch(1);
        driver.channel().grpc().notifyWhenStateChanged(ConnectivityState.READY, lost::countDown);
        lost.await();
    }

    private void welcome() {
        try {
            var now = DriverFeatures.of(driver, timeout);
            if (now.equals(known)) {
                LOG.info("the driver {} is back", known.name());
                returned.run();
            } else {
                changed.accept("the driver was " + known + " and is now " + now + "; starting anew");
            }
        } catch (StatusRuntimeException goneAgain) {
            LOG.debug("the driver {} is gone again: {}", known.name(), goneAgain.getMessage());
        }
    }

    @Override
    public void close() {
        watcher.interrupt();
    }
}
