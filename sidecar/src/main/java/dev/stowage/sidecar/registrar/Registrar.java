package dev.stowage.sidecar.registrar;

import dev.stowage.driver.http.HttpAddress;
import dev.stowage.driver.http.PageServer;
import dev.stowage.driver.http.Reply;
import dev.stowage.driver.registration.KubeletRegistration;
import dev.stowage.sidecar.csi.DriverConnection;
import dev.stowage.sidecar.csi.DriverReport;
import dev.stowage.sidecar.csi.OperationMetrics;
import dev.stowage.sidecar.flag.FlagSet;
import dev.stowage.sidecar.flag.Flags;
import dev.stowage.sidecar.preflight.Finding;
import dev.stowage.sidecar.preflight.Preflight;
import dev.stowage.sidecar.process.Stop;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Offers a driver that does not do so itself to the kubelet, and keeps offering it. */
public final class Registrar {

    private static final Logger LOG = LoggerFactory.getLogger(Registrar.class);
    private static final Duration CHECK = Duration.ofSeconds(3);
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final RegistrarSettings settings;
    private final Stop stop;
    private volatile @Nullable KubeletRegistration registration;

    private Registrar(RegistrarSettings settings, Stop stop) {
        this.settings = settings;
        this.stop = stop;
    }

    public static FlagSet flags() {
        return RegistrarSettings.flags();
    }

    /** Runs until it is told to end; returns the process's exit code. */
    public static int run(Flags flags) throws InterruptedException {
        var settings = RegistrarSettings.of(flags);
        return settings.probeOnly() ? 0 : new Registrar(settings, Stop.onSignals()).run();
    }

    private int run() throws InterruptedException {
        var http = settings.http().map(this::serve);
        try {
            var name = driverName();
            if (name.isPresent()) {
                register(name.get());
            }
            return stop.await();
        } finally {
            if (registration != null) {
                registration.close();
            }
            http.ifPresent(PageServer::close);
        }
    }

    private PageServer serve(HttpAddress address) {
        var readiness = new Readiness(settings.driver(), settings.timeout(), () -> registration);
        var server = PageServer.start(
                address,
                Map.of(
                        "/healthz",
                        PageServer.condition(this::problem),
                        "/readyz",
                        PageServer.condition(readiness::problem),
                        "/driver",
                        DriverReport.page(settings.driver(), new OperationMetrics(), settings.timeout()),
                        "/preflight",
                        preflight()));
        LOG.info("health is served on port {}", server.port());
        return server;
    }

    private PageServer.Page preflight() {
        return settings.hostProc()
                .map(proc -> new Preflight(proc, settings.kubeletDirectory()))
                .<PageServer.Page>map(
                        look -> exchange -> new Reply(200, "application/json", Finding.json(look.findings())))
                .orElse(exchange -> Reply.text(404, "the node is not known here: flag -host-proc is not given"));
    }

    /** A registrar that still waits for its driver is well: to start it again would not bring the driver. */
    private Optional<String> problem() {
        var offered = registration;
        return offered == null || offered.isOffered()
                ? Optional.empty()
                : Optional.of("the registration socket is gone; the kubelet takes the driver for gone too");
    }

    /** The driver's name, as soon as it can tell it; empty when this process is told to end before. */
    private Optional<String> driverName() throws InterruptedException {
        String told = "";
        try (var driver = DriverConnection.to(settings.driver(), new OperationMetrics(), 0)) {
            while (driver.awaitReady(settings.timeout(), stop::isAsked)) {
                try {
                    return Optional.of(driver.driverName(settings.timeout()));
                } catch (StatusRuntimeException goneAgain) {
                    String why = String.valueOf(goneAgain.getMessage());
                    // It may take hours until somebody mends it.
                    if (!why.equals(told)) {
                        LOG.info("the driver at {} cannot tell its name: {}", settings.driver(), why);
                        told = why;
                    }
                    Thread.sleep(PAUSE);
                }
            }
            return Optional.empty();
        }
    }

    private void register(String driver) {
        registration = KubeletRegistration.start(
                settings.registrationDirectory(),
                driver,
                settings.kubeletSocket(),
                CHECK,
                reason -> stop.because("the kubelet refused to register " + driver + ": " + reason));
        LOG.info("{} is offered to the kubelet in {}", driver, settings.registrationDirectory());
    }
}
