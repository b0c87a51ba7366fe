package dev.stowage.driver.registration;

import dev.stowage.driver.transport.CsiServer;
import dev.stowage.driver.transport.Endpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the driver registered with the kubelet.
 *
 * <p>The kubelet watches a directory for sockets and asks each who it is. A kubelet that restarts may clear that directory, so the
 * socket is looked after and made again when it is gone.
 */
public final class KubeletRegistration implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(KubeletRegistration.class);
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final Endpoint endpoint;
    private final RegistrationService service;
    private final Consumer<String> refused;
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().name("registration-watch").daemon().unstarted(task));
    private volatile RegistrationState state = new RegistrationState.Waiting();
    private @Nullable CsiServer server;

    private KubeletRegistration(Endpoint endpoint, String driverName, String csiSocket, Consumer<String> refused) {
        this.endpoint = endpoint;
        this.service = new RegistrationService(driverName, csiSocket, this::told);
        this.refused = refused;
    }

    /**
     * Makes the socket that the kubelet looks for.
     *
     * @param csiSocket the path of the driver's own socket as the kubelet sees it
     * @param checkEvery how often the socket is looked after
     * @param refused is told why, when the kubelet does not take the driver
     */
    public static KubeletRegistration start(
            Path directory, String driverName, String csiSocket, Duration checkEvery, Consumer<String> refused) {
        var endpoint = new Endpoint(directory.resolve(driverName + "-reg.sock"));
        var registration = new KubeletRegistration(endpoint, driverName, csiSocket, refused);
        registration.serve();
        var _ = registration.watch.scheduleWithFixedDelay(
                registration::lookAfterSocket, checkEvery.toMillis(), checkEvery.toMillis(), TimeUnit.MILLISECONDS);
        return registration;
    }

    public RegistrationState state() {
        return state;
    }

    /** Whether the socket is there, so that a kubelet that looks for it finds it. */
    public synchronized boolean isOffered() {
        return server != null && server.reachable();
    }

    private synchronized void serve() {
        server = CsiServer.start("registration", endpoint, List.of(service), List.of(), List.of());
    }

    private synchronized void lookAfterSocket() {
        if (server != null && server.reachable()) {
            return;
        }
        LOG.warn(
                "the registration socket {} is gone, as after a restart of the kubelet; making it again",
                endpoint.socket());
        state = new RegistrationState.Waiting();
        end();
        try {
            serve();
        } catch (RuntimeException failed) {
            // Whatever it was, it must not end the watch.
            LOG.warn("cannot make the registration socket now, will try again: {}", failed.getMessage());
        }
    }

    private void told(RegistrationState now) {
        state = now;
        switch (now) {
            case RegistrationState.Registered() -> LOG.info("the kubelet registered this driver");
            case RegistrationState.Refused(var reason) -> {
                LOG.error("the kubelet refused this driver: {}", reason);
                refused.accept(reason);
            }
            case RegistrationState.Waiting() -> {}
        }
    }

    private synchronized void end() {
        if (server != null) {
            server.stop(GRACE);
            server = null;
        }
    }

    /** Without its socket the kubelet takes the driver for gone. */
    @Override
    public void close() {
        watch.shutdownNow();
        end();
    }
}
