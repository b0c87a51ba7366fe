package dev.stowage.sidecar.attacher;

import dev.stowage.driver.http.HttpAddress;
import dev.stowage.driver.http.PageServer;
import dev.stowage.kube.KubernetesClients;
import dev.stowage.kube.LeaderElection;
import dev.stowage.sidecar.csi.DriverConnection;
import dev.stowage.sidecar.csi.DriverFeatures;
import dev.stowage.sidecar.csi.OperationMetrics;
import dev.stowage.sidecar.flag.FlagSet;
import dev.stowage.sidecar.flag.Flags;
import dev.stowage.sidecar.process.Stop;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.grpc.StatusRuntimeException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An attacher as the process that it is. */
public final class Attacher {

    private static final Logger LOG = LoggerFactory.getLogger(Attacher.class);
    private static final Duration API_TIMEOUT = Duration.ofSeconds(10);
    private static final int API_RETRIES = 3;
    private static final Duration ELECTION_TIMEOUT = Duration.ofSeconds(4);
    private static final Duration QUESTION_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final Duration RENEWAL_TOLERANCE = Duration.ofSeconds(20);

    private final AttacherSettings settings;
    private final Stop stop;
    private final OperationMetrics operations = new OperationMetrics();
    private volatile @Nullable LeaderElection election;
    private volatile @Nullable AttachController controller;

    private Attacher(AttacherSettings settings, Stop stop) {
        this.settings = settings;
        this.stop = stop;
    }

    public static FlagSet flags() {
        return AttacherFlags.all();
    }

    /** Runs until it is told to end or may not go on; returns the process's exit code. */
    public static int run(Flags flags) throws InterruptedException {
        return new Attacher(AttacherSettings.of(flags), Stop.onSignals()).run();
    }

    private int run() throws InterruptedException {
        var http = settings.http().map(this::serve);
        try (var driver = DriverConnection.to(settings.driver(), operations, settings.longestReply())) {
            var features = features(driver);
            if (features.isEmpty()) {
                return stop.await();
            }
            operations.driverIs(features.get().name());
            try (var client = KubernetesClients.connect(
                            settings.kubeconfig(), "stowage-attacher", API_TIMEOUT, API_RETRIES);
                    var electoral = KubernetesClients.connect(
                            settings.kubeconfig(), "stowage-attacher-election", ELECTION_TIMEOUT, 0)) {
                awaitElection(electoral, features.get().name());
                return attach(client, driver, features.get());
            }
        } finally {
            http.ifPresent(PageServer::close);
        }
    }

    private PageServer serve(HttpAddress address) {
        var server = PageServer.start(
                address,
                Map.of(
                        settings.metricsPath(),
                        PageServer.metrics(() -> operations.text() + AttacherMetrics.text(controller, election)),
                        "/healthz/leader-election",
                        PageServer.condition(this::electionProblem)));
        LOG.info("metrics are served on port {}", server.port());
        return server;
    }

    private Optional<String> electionProblem() {
        var standing = election;
        return standing == null ? Optional.empty() : standing.problem(RENEWAL_TOLERANCE);
    }

    /** What the driver can do, as soon as it is ready to say so; empty when this process is told to end before. */
    private Optional<DriverFeatures> features(DriverConnection driver) throws InterruptedException {
        while (driver.awaitReady(settings.timeout(), stop::isAsked)) {
            try {
                return Optional.of(DriverFeatures.of(driver, QUESTION_TIMEOUT));
            } catch (StatusRuntimeException goneAgain) {
                LOG.info("the driver at {} cannot say what it can do: {}", settings.driver(), goneAgain.getMessage());
                Thread.sleep(PAUSE);
            }
        }
        return Optional.empty();
    }

    private int attach(KubernetesClient client, DriverConnection driver, DriverFeatures features)
            throws InterruptedException {
        if (!stop.isAsked()) {
            controller = AttachController.start(settings, client, driver, features, stop::because, stop::isAsked);
        }
        int exitCode = stop.await();
        // Whoever lost the lease must not touch anything any more, and has nothing to tidy up that the next leader
        // would not.
        if (exitCode == 0 && finished()) {
            var standing = election;
            if (standing != null) {
                standing.close();
            }
        }
        return exitCode;
    }

    private boolean finished() throws InterruptedException {
        var working = controller;
        boolean finished = working == null || working.close();
        if (!finished) {
            LOG.warn(
                    "some volumes are still being attached or detached; the lease runs out before others go on with them");
        }
        return finished;
    }

    /** Returns when this process may work, or has to end. */
    private void awaitElection(KubernetesClient client, String driver) {
        if (settings.election().isEmpty()) {
            return;
        }
        var turn = new CompletableFuture<Void>();
        stop.whenAsked(() -> turn.complete(null));
        var terms = settings.election().get().of(new Names(driver).lease(), identity());
        election = LeaderElection.join(client, terms, () -> turn.complete(null), stop::because);
        turn.join();
    }

    /** Not the host's name alone: two processes on one host are two. */
    private static String identity() {
        String unique = UUID.randomUUID().toString().substring(0, 8);
        try {
            return Names.sanitized(InetAddress.getLocalHost().getHostName() + "-" + unique);
        } catch (UnknownHostException nameless) {
            return "attacher-" + unique;
        }
    }
}
