package dev.stowage.driver;

import dev.stowage.core.backend.Backend;
import dev.stowage.core.backend.ControllerSide;
import dev.stowage.core.lane.Lanes;
import dev.stowage.driver.call.CallInterceptor;
import dev.stowage.driver.call.Calls;
import dev.stowage.driver.call.Metrics;
import dev.stowage.driver.controller.ControllerService;
import dev.stowage.driver.group.GroupService;
import dev.stowage.driver.http.HttpAddress;
import dev.stowage.driver.http.ObservabilityServer;
import dev.stowage.driver.identity.IdentityService;
import dev.stowage.driver.metadata.MetadataService;
import dev.stowage.driver.node.NodeService;
import dev.stowage.driver.registration.KubeletRegistration;
import dev.stowage.driver.registration.RegistrationState;
import dev.stowage.driver.transport.CsiServer;
import io.grpc.BindableService;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running driver: all CSI services that the backend has abilities for, on one socket, with what belongs around them. */
public final class CsiDriver {

    private static final Logger LOG = LoggerFactory.getLogger(CsiDriver.class);
    private static final Duration SELF_CHECK = Duration.ofSeconds(1);
    private static final Duration REGISTRATION_CHECK = Duration.ofSeconds(3);

    private final DriverSettings settings;
    private final Backend backend;
    private final Metrics metrics;
    private final CsiServer server;
    private final CompletableFuture<Ending> ending = new CompletableFuture<>();
    private @Nullable ObservabilityServer http;
    private volatile @Nullable KubeletRegistration registration;
    private boolean stopped;

    private CsiDriver(DriverSettings settings, Backend backend, Lanes lanes) {
        this.settings = settings;
        this.backend = backend;
        this.metrics = new Metrics(settings.driverName(), settings.vendorVersion());
        this.server = CsiServer.start(
                "csi",
                settings.endpoint(),
                List.of(new IdentityService(settings.driverName(), settings.vendorVersion(), backend)),
                services(backend, new Calls(lanes)),
                List.of(new CallInterceptor(metrics, settings.listener())));
    }

    /** Starts to serve. The backend now belongs to the driver, which closes it at its end, also when it fails to start. */
    public static CsiDriver start(DriverSettings settings, Backend backend) {
        return start(settings, backend, new Lanes(settings.lanePatience()));
    }

    /** Starts to serve beside others who do things to the same volumes, in the same lanes. */
    public static CsiDriver start(DriverSettings settings, Backend backend, Lanes lanes) {
        CsiDriver driver;
        try {
            driver = new CsiDriver(settings, backend, lanes);
        } catch (RuntimeException failed) {
            backend.close();
            throw failed;
        }
        try {
            settings.http().ifPresent(driver::startHttp);
            settings.registrationDirectory().ifPresent(driver::startRegistration);
        } catch (RuntimeException failed) {
            driver.stop();
            throw failed;
        }
        LOG.info("{} {} serves on {}", settings.driverName(), settings.vendorVersion(), settings.endpoint());
        return driver;
    }

    private static List<BindableService> services(Backend backend, Calls calls) {
        var services = new ArrayList<BindableService>();
        backend.controller().ifPresent(storage -> addControllerServices(storage, calls, services));
        backend.node().ifPresent(node -> services.add(new NodeService(node, calls)));
        return services;
    }

    private static void addControllerServices(ControllerSide storage, Calls calls, List<BindableService> services) {
        services.add(new ControllerService(storage, calls));
        storage.groupSnapshots().ifPresent(groups -> services.add(new GroupService(groups, calls)));
        storage.changedBlocks().ifPresent(blocks -> services.add(new MetadataService(blocks, calls)));
    }

    private void startHttp(HttpAddress address) {
        http = ObservabilityServer.start(
                address, this::livenessProblem, this::readinessProblem, () -> metrics.text(backend.gauges()));
        LOG.info("health and metrics are served on port {}", http.port());
    }

    private void startRegistration(Path directory) {
        var socket = settings.kubeletCsiSocket()
                .orElseGet(() -> settings.endpoint().socket().toString());
        registration = KubeletRegistration.start(
                directory,
                settings.driverName(),
                socket,
                REGISTRATION_CHECK,
                reason -> ending.complete(new Ending.RegistrationRefused(reason)));
    }

    /** The port of health and metrics, when they are served. */
    public OptionalInt httpPort() {
        return http == null ? OptionalInt.empty() : OptionalInt.of(http.port());
    }

    private Optional<String> livenessProblem() {
        if (!server.reachable()) {
            return Optional.of("the socket " + settings.endpoint().socket() + " is gone; nobody can reach this driver");
        }
        return server.responsive(SELF_CHECK)
                ? Optional.empty()
                : Optional.of("the threads that answer Probe have not answered for " + SELF_CHECK.toSeconds() + " s");
    }

    private Optional<String> readinessProblem() {
        return livenessProblem().or(backend::notReady).or(this::registrationProblem);
    }

    private Optional<String> registrationProblem() {
        var asked = registration;
        if (asked == null) {
            return settings.registrationDirectory().map(directory -> "the registration socket is not there yet");
        }
        return switch (asked.state()) {
            case RegistrationState.Registered() -> Optional.empty();
            case RegistrationState.Waiting() -> Optional.of("the kubelet has not registered this driver yet");
            case RegistrationState.Refused(var reason) -> Optional.of("the kubelet refused this driver: " + reason);
        };
    }

    /** Makes {@link #awaitStop} return; safe to call from anywhere. */
    public void askToStop() {
        ending.complete(new Ending.Asked());
    }

    /** Waits until there is a reason to stop. */
    public Ending awaitStop() {
        return ending.join();
    }

    /** Takes no new calls, finishes those under way within the grace, then closes the backend. */
    public synchronized void stop() {
        if (stopped) {
            return;
        }
        stopped = true;
        ending.complete(new Ending.Asked());
        if (registration != null) {
            registration.close();
        }
        if (!server.stop(settings.stopGrace())) {
            LOG.warn(
                    "some calls were still under way after {} s and were cut off; they are finished when they are repeated",
                    settings.stopGrace().toSeconds());
        }
        if (http != null) {
            http.close();
        }
        backend.close();
        LOG.info("stopped");
    }
}
