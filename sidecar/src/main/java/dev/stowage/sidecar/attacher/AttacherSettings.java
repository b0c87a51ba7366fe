package dev.stowage.sidecar.attacher;

import dev.stowage.core.error.StowageException;
import dev.stowage.driver.http.HttpAddress;
import dev.stowage.driver.transport.Endpoint;
import dev.stowage.kube.KubernetesClients;
import dev.stowage.kube.LeaderElection;
import dev.stowage.kube.work.Backoff;
import dev.stowage.sidecar.flag.Flags;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What an attacher is told.
 *
 * @param timeout how long the driver may take to attach or detach
 * @param workers how many volumes are attached or detached at once
 * @param resync how often every object is looked at although nothing changed
 * @param reconcile how often attachments are compared with the driver's listing
 * @param tellsCodes whether gRPC codes are shown beside messages
 */
record AttacherSettings(
        Endpoint driver,
        Optional<Path> kubeconfig,
        Duration timeout,
        int workers,
        Backoff backoff,
        Duration resync,
        Duration reconcile,
        int entriesPerPage,
        int longestReply,
        String defaultFilesystem,
        boolean tellsCodes,
        Optional<Election> election,
        Optional<HttpAddress> http,
        String metricsPath) {

    /** The terms of the election; the lease's name has to wait for the driver's. */
    record Election(
            String namespace,
            Duration duration,
            Duration renewDeadline,
            Duration retryPeriod,
            Map<String, String> labels) {

        LeaderElection.Settings of(String lease, String identity) {
            return new LeaderElection.Settings(
                    namespace, lease, identity, duration, renewDeadline, retryPeriod, labels);
        }
    }

    private static final String CODES_GATE = "MutableCSINodeAllocatableCount";
    private static final Set<String> GATES = Set.of(
            CODES_GATE,
            "ReleaseLeaderElectionOnExit",
            "AllAlpha",
            "AllBeta",
            "ContextualLogging",
            "LoggingAlphaOptions",
            "LoggingBetaOptions");

    static AttacherSettings of(Flags flags) {
        if (flags.optional("metrics-address").isPresent()
                && flags.optional("http-endpoint").isPresent()) {
            throw StowageException.invalid("flags -metrics-address and -http-endpoint exclude each other");
        }
        if (!flags.text("metrics-path").startsWith("/")) {
            throw StowageException.invalid("flag -metrics-path: \"%s\" is no path", flags.text("metrics-path"));
        }
        var gates = flags.map("feature-gates");
        gates.keySet().stream()
                .filter(gate -> !GATES.contains(gate))
                .findFirst()
                .ifPresent(gate -> {
                    throw StowageException.invalid("flag -feature-gates: there is no gate %s", gate);
                });
        return new AttacherSettings(
                Endpoint.parse(flags.text("csi-address")),
                flags.optional("kubeconfig").map(Path::of),
                positive(flags, "timeout"),
                workers(flags),
                new Backoff(positive(flags, "retry-interval-start"), positive(flags, "retry-interval-max")),
                flags.duration("resync"),
                positive(flags, "reconcile-sync"),
                flags.integer("max-entries"),
                flags.integer("max-grpc-log-length"),
                flags.text("default-fstype"),
                !"false".equals(gates.get(CODES_GATE)),
                election(flags),
                flags.optional("http-endpoint")
                        .or(() -> flags.optional("metrics-address"))
                        .map(HttpAddress::parse),
                flags.text("metrics-path"));
    }

    private static int workers(Flags flags) {
        int workers = flags.integer("worker-threads");
        if (workers <= 0) {
            throw StowageException.invalid("flag -worker-threads: %d is not more than zero", workers);
        }
        return workers;
    }

    private static Duration positive(Flags flags, String name) {
        var duration = flags.duration(name);
        if (duration.isZero()) {
            throw StowageException.invalid("flag -%s: it must be longer than nothing", name);
        }
        return duration;
    }

    private static Optional<Election> election(Flags flags) {
        if (!flags.isOn("leader-election")) {
            return Optional.empty();
        }
        var election = new Election(
                flags.optional("leader-election-namespace").orElseGet(KubernetesClients::namespace),
                flags.duration("leader-election-lease-duration"),
                flags.duration("leader-election-renew-deadline"),
                flags.duration("leader-election-retry-period"),
                flags.labels("leader-election-labels"));
        var _ = election.of(
                "lease", "identity"); // terms that contradict each other are refused now, not after the driver came
        return Optional.of(election);
    }
}
