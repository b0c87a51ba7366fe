package dev.stowage.driver;

import dev.stowage.core.backend.Backend;
import dev.stowage.core.lane.Lanes;
import sun.misc.Signal;

/** A driver that is the whole process: it runs until it is told to end by a signal, or has a reason of its own. */
public final class DriverProcess {

    private DriverProcess() {}

    /** Runs a driver that has its volumes to itself. */
    public static Ending run(DriverSettings settings, Backend backend) {
        return run(settings, backend, new Lanes(settings.lanePatience()));
    }

    /**
     * Runs the driver to its end.
     *
     * <p>Signals are taken as such rather than by a shutdown hook: during a hook the JDK has already silenced its logging, and the
     * process could not end with a status of its own.
     */
    public static Ending run(DriverSettings settings, Backend backend, Lanes lanes) {
        var driver = CsiDriver.start(settings, backend, lanes);
        for (String signal : new String[] {"TERM", "INT"}) {
            Signal.handle(new Signal(signal), received -> driver.askToStop());
        }
        IdleHeap.watch();
        try {
            return driver.awaitStop();
        } finally {
            driver.stop();
        }
    }
}
