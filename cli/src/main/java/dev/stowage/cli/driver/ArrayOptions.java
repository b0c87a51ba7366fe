package dev.stowage.cli.driver;

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
            boolean fencing,
            Duration fenceAfter,
            boolean taint) {}

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
            paramLabel = "SECONDS",
            defaultValue = "${env:STOWAGE_MONITOR_INTERVAL:-50}",
            description = "vsc: how often every array is looked at [STOWAGE_MONITOR_INTERVAL, default 50].")
    private int interval = 50;

    @Option(
            names = "--array-timeout",
            paramLabel = "SECONDS",
            defaultValue = "${env:STOWAGE_ARRAY_TIMEOUT:-180}",
            description = "vsc: how long an array may take for one call [STOWAGE_ARRAY_TIMEOUT, default 180].")
    private int timeout = 180;

    @Option(
            names = "--no-array-tls",
            negatable = true,
            defaultValue = "${env:STOWAGE_ARRAY_TLS:-true}",
            fallbackValue = "false",
            description = "vsc: ask arrays over HTTP instead of HTTPS [STOWAGE_ARRAY_TLS=false].")
    private boolean tls = true;

    @Option(
            names = "--no-array-verify",
            negatable = true,
            defaultValue = "${env:STOWAGE_ARRAY_VERIFY:-true}",
            fallbackValue = "false",
            description = "vsc: take any certificate of an array [STOWAGE_ARRAY_VERIFY=false].")
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
            names = "--no-fencing",
            negatable = true,
            defaultValue = "${env:STOWAGE_FENCING:-true}",
            fallbackValue = "false",
            description = "vsc: leave the volumes of lost nodes alone [STOWAGE_FENCING=false].")
    private boolean fencing = true;

    @Option(
            names = "--fence-after",
            paramLabel = "SECONDS",
            defaultValue = "${env:STOWAGE_FENCE_AFTER:-10}",
            description = {
                "vsc: how long after Kubernetes has lost sight of a node the arrays shut it out",
                "[STOWAGE_FENCE_AFTER, default 10]."
            })
    private int fenceAfter = 10;

    @Option(
            names = "--taint-fenced-nodes",
            defaultValue = "${env:STOWAGE_TAINT_FENCED_NODES:-false}",
            description = {
                "vsc: declare a lost node out of service when all its volumes are shut off from it, so that its pods move at once",
                "[STOWAGE_TAINT_FENCED_NODES]."
            })
    private boolean taint;

    Settings settings() {
        return new Settings(
                tls,
                verify,
                Optional.ofNullable(trusted),
                Duration.ofSeconds(timeout),
                Duration.ofSeconds(interval),
                allocator,
                keys,
                fencing,
                Duration.ofSeconds(fenceAfter),
                taint);
    }
}
