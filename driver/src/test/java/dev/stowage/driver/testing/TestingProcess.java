package dev.stowage.driver.testing;

import dev.stowage.driver.DriverProcess;
import dev.stowage.driver.DriverSettings;
import dev.stowage.driver.Ending;
import dev.stowage.driver.http.HttpAddress;
import dev.stowage.driver.log.LogLevel;
import dev.stowage.driver.log.Logging;
import dev.stowage.driver.transport.Endpoint;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A driver as a process of its own, on storage in memory.
 *
 * <p>Arguments: its directory, and how many milliseconds a change takes.
 */
public final class TestingProcess {

    public static final int REFUSED = 3;

    private TestingProcess() {}

    public static void main(String[] arguments) {
        Logging.start(LogLevel.INFO, System.err);
        var directory = Path.of(arguments[0]);
        long delay = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[1]));
        var backend = TestingBackend.complete();
        if (delay > 0) {
            backend.onCall = name -> LockSupport.parkNanos(delay);
        }
        var settings = DriverSettings.of(TestingDriver.NAME, "1.2.3", new Endpoint(directory.resolve("csi.sock")))
                .withHttp(new HttpAddress("127.0.0.1", 0))
                .withRegistration(directory, Optional.empty());
        System.exit(
                switch (DriverProcess.run(settings, backend)) {
                    case Ending.Asked() -> 0;
                    case Ending.RegistrationRefused(var reason) -> REFUSED;
                });
    }
}
