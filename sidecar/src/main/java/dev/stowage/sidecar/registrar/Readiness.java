package dev.stowage.sidecar.registrar;

import dev.stowage.driver.registration.KubeletRegistration;
import dev.stowage.driver.registration.RegistrationState;
import dev.stowage.driver.transport.Endpoint;
import dev.stowage.sidecar.csi.DriverConnection;
import dev.stowage.sidecar.csi.OperationMetrics;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Whether pods of this node can use the driver now: the kubelet has taken it, and it answers. */
record Readiness(Endpoint driver, Duration timeout, Supplier<@Nullable KubeletRegistration> registration) {

    Optional<String> problem() {
        return unregistered().or(this::unanswered);
    }

    /** Only what this process was told counts: the kubelet may have registered the driver that was here before. */
    private Optional<String> unregistered() {
        var offered = registration.get();
        if (offered == null) {
            return Optional.of("the driver is not offered to the kubelet yet, because it has not told its name");
        }
        return switch (offered.state()) {
            case RegistrationState.Registered() -> Optional.empty();
            case RegistrationState.Waiting() -> Optional.of("the kubelet has not registered the driver yet");
            case RegistrationState.Refused(var reason) ->
                Optional.of("the kubelet refused to register the driver: " + reason);
        };
    }

    /** Asks over a new connection: an old one would also work for a driver that nobody new can reach. */
    private Optional<String> unanswered() {
        try (var connection = DriverConnection.to(driver, new OperationMetrics(), 0)) {
            return connection.probe(timeout)
                    ? Optional.empty()
                    : Optional.of("the driver answers Probe that it is not ready");
        } catch (StatusRuntimeException failed) {
            return Optional.of("the driver does not answer Probe: " + failed.getMessage());
        }
    }
}
