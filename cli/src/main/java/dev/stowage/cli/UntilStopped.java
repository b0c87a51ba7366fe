package dev.stowage.cli;

import dev.stowage.core.error.StowageException;
import dev.stowage.driver.log.LogLevel;
import dev.stowage.driver.log.Logging;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Option;
import sun.misc.Signal;

/** What the commands have in common that run until a signal tells them to end. */
public final class UntilStopped {

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            defaultValue = "info",
            description = "error, warn, info, debug or trace, default ${DEFAULT-VALUE}.")
    private String logLevel = "info";

    /** What such a command does. */
    public interface Service {
        /** @param stop is counted down when it is to end */
        void run(CountDownLatch stop) throws InterruptedException;
    }

    /** @return the exit code: 0 after a signal, 2 for wrong usage, 1 for anything else, told on stderr */
    public int run(Service service) throws InterruptedException {
        try {
            Logging.start(LogLevel.parse(logLevel), System.err);
            var stop = new CountDownLatch(1);
            for (String signal : new String[] {"TERM", "INT"}) {
                Signal.handle(new Signal(signal), received -> stop.countDown());
            }
            service.run(stop);
            return 0;
        } catch (StowageException refused) {
            return refused(refused);
        }
    }

    /** Says why a command does not go on. */
    public static int refused(StowageException why) {
        System.err.println("stowage: " + why.getMessage());
        return why instanceof StowageException.InvalidRequest ? 2 : 1;
    }
}
