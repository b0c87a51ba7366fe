package dev.stowage.sidecar.liveness;

import dev.stowage.core.error.StowageException;
import dev.stowage.driver.http.HttpAddress;
import dev.stowage.driver.transport.Endpoint;
import dev.stowage.sidecar.flag.Flag;
import dev.stowage.sidecar.flag.FlagSet;
import dev.stowage.sidecar.flag.Flags;
import dev.stowage.sidecar.flag.LoggingFlags;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a liveness probe is told.
 *
 * @param health where health is served
 * @param metrics where metrics are served: at the same address, at another, or nowhere
 */
record LivenessSettings(
        Endpoint driver, Duration timeout, HttpAddress health, Optional<HttpAddress> metrics, String metricsPath) {

    private static final String USUAL_PORT = "9808";

    static FlagSet flags() {
        var flags = new ArrayList<Flag>(List.of(
                Flag.of("csi-address", Flag.Kind.TEXT, "/run/csi/socket", "The driver's socket."),
                Flag.of("probe-timeout", Flag.Kind.DURATION, "3s", "How long the driver may take for an answer."),
                Flag.of("http-endpoint", Flag.Kind.TEXT, "", "Serve /healthz and metrics at this HOST:PORT."),
                Flag.of("health-port", Flag.Kind.INTEGER, USUAL_PORT, "Serve /healthz at this port of every address."),
                Flag.of("metrics-address", Flag.Kind.TEXT, "", "Serve metrics at this HOST:PORT."),
                Flag.of("metrics-path", Flag.Kind.TEXT, "/metrics", "Where on it."),
                Flag.of("version", Flag.Kind.SWITCH, "false", "Print the version."),
                Flag.withoutEffect("automaxprocs", Flag.Kind.SWITCH, "the JVM knows its container's limits.")));
        flags.addAll(LoggingFlags.all());
        return FlagSet.of(flags);
    }

    static LivenessSettings of(Flags flags) {
        var endpoint = flags.optional("http-endpoint").map(HttpAddress::parse);
        if (endpoint.isPresent() && !flags.text("health-port").equals(USUAL_PORT)) {
            throw StowageException.invalid("flags -health-port and -http-endpoint exclude each other");
        }
        var metrics = flags.optional("metrics-address").map(HttpAddress::parse);
        if (endpoint.isPresent() && metrics.isPresent()) {
            throw StowageException.invalid("flags -metrics-address and -http-endpoint exclude each other");
        }
        if (!flags.text("metrics-path").startsWith("/")) {
            throw StowageException.invalid("flag -metrics-path: \"%s\" is no path", flags.text("metrics-path"));
        }
        return new LivenessSettings(
                Endpoint.parse(flags.text("csi-address")),
                flags.duration("probe-timeout"),
                endpoint.orElseGet(() -> new HttpAddress("", flags.integer("health-port"))),
                endpoint.or(() -> metrics),
                flags.text("metrics-path"));
    }
}
