package dev.stowage.sidecar.csi;

import csi.v1.ControllerGrpc;
import csi.v1.GetPluginInfoRequest;
import csi.v1.IdentityGrpc;
import csi.v1.ProbeRequest;
import dev.stowage.core.error.StowageException;
import dev.stowage.driver.transport.CsiChannel;
import dev.stowage.driver.transport.Endpoint;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection to any CSI driver. It outlives the driver's restarts. */
public final class DriverConnection implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DriverConnection.class);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final Duration REMINDER = Duration.ofSeconds(10);

    private final Endpoint endpoint;
    private final CsiChannel channel;
    private final Channel recorded;

    private DriverConnection(Endpoint endpoint, CsiChannel channel, Channel recorded) {
        this.endpoint = endpoint;
        this.channel = channel;
        this.recorded = recorded;
    }

    /**
     * Prepares a connection, which is made with the first call.
     *
     * @param longestReply how much of a reply is logged; zero or less for all of it
     */
    public static DriverConnection to(Endpoint endpoint, OperationMetrics metrics, int longestReply) {
        var channel = CsiChannel.to(endpoint);
        return new DriverConnection(
                endpoint,
                channel,
                ClientInterceptors.intercept(channel.grpc(), new CallRecorder(metrics, longestReply)));
    }

    public CsiChannel channel() {
        return channel;
    }

    public IdentityGrpc.IdentityBlockingStub identity(Duration timeout) {
        return IdentityGrpc.newBlockingStub(recorded).withDeadlineAfter(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    public ControllerGrpc.ControllerBlockingStub controller(Duration timeout) {
        return ControllerGrpc.newBlockingStub(recorded).withDeadlineAfter(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Asks once whether the driver is ready; one that does not say is. */
    public boolean probe(Duration timeout) {
        var reply = identity(timeout).probe(ProbeRequest.getDefaultInstance());
        return !reply.hasReady() || reply.getReady().getValue();
    }

    /** The driver's name, which is never empty. */
    public String driverName(Duration timeout) {
        String name = identity(timeout)
                .getPluginInfo(GetPluginInfoRequest.getDefaultInstance())
                .getName();
        if (name.isEmpty()) {
            throw StowageException.unavailable("the driver at %s has no name", endpoint);
        }
        return name;
    }

    /**
     * Waits until the driver says that it is ready, however long that takes.
     *
     * @param givenUp asks whether nobody waits any more
     * @return whether it is ready
     */
    public boolean awaitReady(Duration timeout, BooleanSupplier givenUp) throws InterruptedException {
        long told = System.nanoTime();
        while (!givenUp.getAsBoolean()) {
            String obstacle = obstacle(timeout);
            if (obstacle.isEmpty()) {
                return true;
            }
            if (System.nanoTime() - told > REMINDER.toNanos()) {
                told = System.nanoTime();
                LOG.info("still waiting for the driver at {}: {}", endpoint, obstacle);
            }
            Thread.sleep(PAUSE);
        }
        return false;
    }

    private String obstacle(Duration timeout) {
        try {
            return probe(timeout) ? "" : "it says that it is not ready";
        } catch (StatusRuntimeException failed) {
            channel.grpc().resetConnectBackoff();
            return String.valueOf(failed.getMessage());
        }
    }

    @Override
    public void close() {
        channel.close();
    }
}
