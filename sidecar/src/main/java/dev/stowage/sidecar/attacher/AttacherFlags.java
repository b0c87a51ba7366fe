package dev.stowage.sidecar.attacher;

import static dev.stowage.sidecar.flag.Flag.Kind.DURATION;
import static dev.stowage.sidecar.flag.Flag.Kind.INTEGER;
import static dev.stowage.sidecar.flag.Flag.Kind.LABELS;
import static dev.stowage.sidecar.flag.Flag.Kind.MAP;
import static dev.stowage.sidecar.flag.Flag.Kind.NUMBER;
import static dev.stowage.sidecar.flag.Flag.Kind.SWITCH;
import static dev.stowage.sidecar.flag.Flag.Kind.TEXT;

import dev.stowage.sidecar.flag.Flag;
import dev.stowage.sidecar.flag.FlagSet;
import dev.stowage.sidecar.flag.LoggingFlags;
import java.util.ArrayList;
import java.util.List;

/** The flags of the stock attacher. */
final class AttacherFlags {

    private AttacherFlags() {}

    static FlagSet all() {
        var flags = new ArrayList<Flag>();
        flags.addAll(connections());
        flags.addAll(work());
        flags.addAll(election());
        flags.addAll(withoutEffect());
        flags.addAll(LoggingFlags.all());
        return FlagSet.of(flags);
    }

    private static List<Flag> connections() {
        return List.of(
                Flag.of("csi-address", TEXT, "/run/csi/socket", "The driver's socket."),
                Flag.of("kubeconfig", TEXT, "", "How to reach the API server; not needed in a pod."),
                Flag.of("http-endpoint", TEXT, "", "Serve metrics and /healthz/leader-election at this HOST:PORT."),
                Flag.of("metrics-address", TEXT, "", "The same by its former name."),
                Flag.of("metrics-path", TEXT, "/metrics", "Where on it metrics are."),
                Flag.of("version", SWITCH, "false", "Print the version."));
    }

    private static List<Flag> work() {
        return List.of(
                Flag.of("timeout", DURATION, "15s", "How long the driver may take to attach or detach."),
                Flag.of("worker-threads", INTEGER, "100", "How many volumes are attached or detached at once."),
                Flag.of("retry-interval-start", DURATION, "1s", "The pause after a failure; it doubles with each."),
                Flag.of("retry-interval-max", DURATION, "5m", "The longest pause."),
                Flag.of("resync", DURATION, "10m", "How often everything is looked at although nothing changed."),
                Flag.of(
                        "reconcile-sync",
                        DURATION,
                        "1m",
                        "How often attachments are compared with the driver's listing."),
                Flag.of(
                        "max-entries",
                        INTEGER,
                        "0",
                        "How many volumes a page of that listing has; 0 is up to the driver."),
                Flag.of("default-fstype", TEXT, "", "The filesystem of a volume that does not name one."),
                Flag.of("max-grpc-log-length", INTEGER, "-1", "How much of a reply is logged; all if negative."),
                Flag.of(
                        "feature-gates",
                        MAP,
                        "",
                        "MutableCSINodeAllocatableCount=false leaves gRPC codes out of statuses."));
    }

    private static List<Flag> election() {
        return List.of(
                Flag.of("leader-election", SWITCH, "false", "Of several attachers, only one is to work."),
                Flag.of(
                        "leader-election-namespace",
                        TEXT,
                        "",
                        "Where the Lease is; this pod's namespace if not given."),
                Flag.of("leader-election-lease-duration", DURATION, "15s", "How long others wait for a silent leader."),
                Flag.of(
                        "leader-election-renew-deadline",
                        DURATION,
                        "10s",
                        "After how long without renewal a leader ends."),
                Flag.of("leader-election-retry-period", DURATION, "5s", "How often one tries to be the leader."),
                Flag.of("leader-election-labels", LABELS, "", "Labels for the Lease."));
    }

    private static List<Flag> withoutEffect() {
        return List.of(
                Flag.withoutEffect("kube-api-qps", NUMBER, "the API server says itself what is too much for it."),
                Flag.withoutEffect("kube-api-burst", INTEGER, "the API server says itself what is too much for it."),
                Flag.withoutEffect("automaxprocs", SWITCH, "the JVM knows its container's limits."));
    }
}
