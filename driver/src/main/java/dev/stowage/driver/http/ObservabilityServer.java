package dev.stowage.driver.http;

import java.util.Map;
import java.util.function.Supplier;

/** {@code /healthz}, {@code /readyz}, {@code /metrics} and {@code /loglevel} of a driver. */
public final class ObservabilityServer implements AutoCloseable {

    private final PageServer server;

    private ObservabilityServer(PageServer server) {
        this.server = server;
    }

    public static ObservabilityServer start(
            HttpAddress address, Condition alive, Condition ready, Supplier<String> metrics) {
        return new ObservabilityServer(PageServer.start(
                address,
                Map.of(
                        "/healthz", PageServer.condition(alive),
                        "/readyz", PageServer.condition(ready),
                        "/metrics", PageServer.metrics(metrics),
                        "/loglevel", LogLevelPage::reply)));
    }

    /** The port that was taken. */
    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.close();
    }
}
