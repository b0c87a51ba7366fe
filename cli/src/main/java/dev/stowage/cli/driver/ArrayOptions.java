package dev.stowage.cli.driver;

import dev.stowage.core.error.StowageException;
import dev.stowage.sidecar.flag.GoDuration;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for a driver whose volumes are on arrays. */
final class ArrayOptions {

    /** What the process is told; the backend's own types would be loaded by drivers that do not need them. */
    record Settings(
            boolean tls,
            boolean verify,
            Optional<Path> trusted,
            Duration timeout,
            Duration interval,
            String allocator,
            Path keys,
            Duration fenceAfter,
            boolean taint,
            Optional<String> nodeAddress,
            Optional<String> storageNetwork,
            Path stateDirectory,
            String initiator,
            Path initiatorDirectory) {}

    @Option(
            names = "--encryption-key-directory",
            paramLabel = "DIR",
            defaultValue = "${env:STOWAGE_ENCRYPTION_KEY_DIRECTORY:-/etc/stowage/encryption}",
            description = {
                "vsc: the keys under which tokens and CHAP secrets are kept, each in a file of 32 bytes",
                "[STOWAGE_ENCRYPTION_KEY_DIRECTORY, default /etc/stowage/encryption]."
            })
    private Path keys = Path.of("/etc/stowage/encryption");

    @Option(
            names = "--monitor-interval",
            paramLabel = "TIME",
            defaultValue = "${env:STOWAGE_MONITOR_INTERVAL:-50s}",
            description = "vsc: how often every array is looked at [STOWAGE_MONITOR_INTERVAL, default 50s].")
    private String interval = "50s";

    @Option(
            names = "--array-timeout",
            paramLabel = "TIME",
            defaultValue = "${env:STOWAGE_ARRAY_TIMEOUT:-3m}",
            description = "vsc: how long an array may take for one call [STOWAGE_ARRAY_TIMEOUT, default 3m].")
    private String timeout = "3m";

    @Option(
            names = "--array-tls",
            negatable = true,
            defaultValue = "${env:STOWAGE_ARRAY_TLS:-true}",
            fallbackValue = "true",
            description =
                    "vsc: ask arrays over HTTPS unless their address says otherwise [STOWAGE_ARRAY_TLS, default true].")
    private boolean tls = true;

    @Option(
            names = "--array-verify",
            negatable = true,
            defaultValue = "${env:STOWAGE_ARRAY_VERIFY:-true}",
            fallbackValue = "true",
            description = "vsc: trust no certificate that nobody vouches for [STOWAGE_ARRAY_VERIFY, default true].")
    private boolean verify = true;

    @Option(
            names = "--array-trust",
            paramLabel = "FILE",
            defaultValue = "${env:STOWAGE_ARRAY_TRUST}",
            description = "vsc: certificates in PEM to be trusted beside the usual ones [STOWAGE_ARRAY_TRUST].")
    private @Nullable Path trusted;

    @Option(
            names = "--allocator",
            paramLabel = "NAME",
            defaultValue = "${env:STOWAGE_ALLOCATOR:-weighted}",
            description = {
                "vsc: how an array is chosen for a volume: weighted, mostAvailableCapacity, even or linear",
                "[STOWAGE_ALLOCATOR, default weighted]."
            })
    private String allocator = "weighted";

    @Option(
            names = "--fence-after",
            paramLabel = "TIME",
            defaultValue = "${env:STOWAGE_FENCE_AFTER:-10s}",
            description = {
                "vsc: how long after Kubernetes has lost sight of a node the arrays shut it out; 0s for never",
                "[STOWAGE_FENCE_AFTER, default 10s]."
            })
    private String fenceAfter = "10s";

    @Option(
            names = "--taint-fenced-nodes",
            defaultValue = "${env:STOWAGE_TAINT_FENCED_NODES:-false}",
            description = {
                "vsc: declare a lost node out of service when all its volumes are shut off from it, so that its pods move at once",
                "[STOWAGE_TAINT_FENCED_NODES]."
            })
    private boolean taint;

    @Option(
            names = "--node-ip",
            paramLabel = "ADDRESS",
            defaultValue = "${env:STOWAGE_NODE_IP}",
            description = "vsc: this node's address, by which arrays see it [STOWAGE_NODE_IP].")
    private @Nullable String nodeAddress;

    @Option(
            names = "--storage-network",
            paramLabel = "CIDR",
            defaultValue = "${env:STOWAGE_STORAGE_NETWORK}",
            description = "vsc: the network whose address is this node's for arrays [STOWAGE_STORAGE_NETWORK].")
    private @Nullable String storageNetwork;

    @Option(
            names = "--state-directory",
            paramLabel = "DIR",
            defaultValue = "${env:STOWAGE_STATE_DIRECTORY:-/var/lib/stowage-vsc}",
            description = {
                "vsc: where a node keeps what it staged, and its key",
                "[STOWAGE_STATE_DIRECTORY, default /var/lib/stowage-vsc]."
            })
    private Path stateDirectory = Path.of("/var/lib/stowage-vsc");

    @Option(
            names = "--initiator",
            paramLabel = "KIND",
            defaultValue = "${env:STOWAGE_INITIATOR:-auto}",
            description = {
                "vsc: auto, open-iscsi (the kernel's) or qemu (`stowage initiator`, for kernels without one)",
                "[STOWAGE_INITIATOR, default auto]."
            })
    private String initiator = "auto";

    @Option(
            names = "--initiator-directory",
            paramLabel = "DIR",
            defaultValue = "${env:STOWAGE_INITIATOR_DIRECTORY:-/run/stowage/initiator}",
            description = {
                "vsc: where `stowage initiator` serves on this node",
                "[STOWAGE_INITIATOR_DIRECTORY, default /run/stowage/initiator]."
            })
    private Path initiatorDirectory = Path.of("/run/stowage/initiator");

    private static Duration time(String option, String text) {
        try {
            return GoDuration.parse(text);
        } catch (StowageException.InvalidRequest malformed) {
            throw StowageException.invalid("%s: %s", option, malformed.getMessage());
        }
    }

    Settings settings() {
        return new Settings(
                tls,
                verify,
                Optional.ofNullable(trusted),
                time("--array-timeout", timeout),
                time("--monitor-interval", interval),
                allocator,
                keys,
                time("--fence-after", fenceAfter),
                taint,
                Optional.ofNullable(nodeAddress),
                Optional.ofNullable(storageNetwork),
                stateDirectory,
                initiator,
                initiatorDirectory);
    }
}
