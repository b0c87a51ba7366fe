package dev.stowage.sidecar.process;

import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import sun.misc.Signal;

/** The end of this process, which the first reason decides. */
public final class Stop {

    private static final Logger LOG = LoggerFactory.getLogger(Stop.class);

    private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();

    /** Ends with code 0 when the process is asked to end. */
    public static Stop onSignals() {
        var stop = new Stop();
        for (String signal : new String[] {"TERM", "INT"}) {
            Signal.handle(new Signal(signal), received -> stop.exitCode.complete(0));
        }
        return stop;
    }

    /** Ends the process because it cannot go on. */
    public void because(String reason) {
        if (exitCode.complete(1)) {
            LOG.error("{}", reason);
        }
    }

    public boolean isAsked() {
        return exitCode.isDone();
    }

    /** Waits for the reason to end, and returns the exit code it asks for. */
    public int await() {
        return exitCode.join();
    }

    /** What is to happen as soon as there is a reason to end. */
    public void whenAsked(Runnable action) {
        exitCode.thenRun(action);
    }
}
