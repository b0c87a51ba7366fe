package dev.stowage.sidecar.liveness;

import dev.stowage.core.error.StowageException;
import dev.stowage.driver.http.PageServer;
import dev.stowage.driver.http.PageServer.Page;
import dev.stowage.sidecar.csi.DriverConnection;
import dev.stowage.sidecar.csi.DriverReport;
import dev.stowage.sidecar.csi.OperationMetrics;
import dev.stowage.sidecar.flag.FlagSet;
import dev.stowage.sidecar.flag.Flags;
import dev.stowage.sidecar.process.Stop;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers a kubelet's health check with what the driver's Probe says. */
public final class Liveness {

    private static final Logger LOG = LoggerFactory.getLogger(Liveness.class);

    private final LivenessSettings settings;
    private final OperationMetrics metrics = new OperationMetrics();
    private volatile boolean named;

    private Liveness(LivenessSettings settings) {
        this.settings = settings;
    }

    public static FlagSet flags() {
        return LivenessSettings.flags();
    }

    /** Runs until it is told to end; returns the process's exit code. */
    public static int run(Flags flags) {
        var stop = Stop.onSignals();
        var servers = new Liveness(LivenessSettings.of(flags)).serve();
        try {
            return stop.await();
        } finally {
            servers.forEach(PageServer::close);
        }
    }

    private List<PageServer> serve() {
        Page figures = PageServer.metrics(metrics::text);
        var pages = new HashMap<String, Page>();
        pages.put("/healthz", PageServer.condition(() -> problem(true)));
        pages.put("/livez", PageServer.condition(() -> problem(false)));
        pages.put("/driver", DriverReport.page(settings.driver(), metrics, settings.timeout()));
        var servers = new ArrayList<PageServer>();
        if (settings.metrics().filter(settings.health()::equals).isPresent()) {
            pages.put(settings.metricsPath(), figures);
        } else {
            settings.metrics()
                    .ifPresent(
                            address -> servers.add(PageServer.start(address, Map.of(settings.metricsPath(), figures))));
        }
        servers.addFirst(PageServer.start(settings.health(), pages));
        LOG.info(
                "the health of the driver at {} is served on port {}",
                settings.driver(),
                servers.getFirst().port());
        return servers;
    }

    /**
     * Asks over a new connection: an old one would also work for a driver that nobody new can reach.
     *
     * @param ready whether an answer is not enough. One of several controllers that waits for its turn is not ready, and well.
     */
    private Optional<String> problem(boolean ready) {
        try (var driver = DriverConnection.to(settings.driver(), metrics, 0)) {
            if (!driver.probe(settings.timeout()) && ready) {
                LOG.warn("the driver at {} answers that it is not ready", settings.driver());
                return Optional.of("the driver answers that it is not ready");
            }
            nameInMetrics(driver);
            return Optional.empty();
        } catch (StatusRuntimeException failed) {
            LOG.warn("the driver at {} does not answer as it should: {}", settings.driver(), failed.getMessage());
            return Optional.of("the driver does not answer as it should: " + failed.getMessage());
        }
    }

    /** A driver that is well but cannot tell its name is well. */
    private void nameInMetrics(DriverConnection driver) {
        if (named) {
            return;
        }
        try {
            metrics.driverIs(driver.driverName(settings.timeout()));
            named = true;
        } catch (StatusRuntimeException | StowageException nameless) {
            LOG.debug("the driver at {} does not tell its name: {}", settings.driver(), nameless.getMessage());
        }
    }
}
