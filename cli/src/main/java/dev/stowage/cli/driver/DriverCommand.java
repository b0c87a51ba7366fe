package dev.stowage.cli.driver;

import dev.stowage.backend.local.LocalBackend;
import dev.stowage.backend.local.LocalSettings;
import dev.stowage.cli.UntilStopped;
import dev.stowage.cli.Version;
import dev.stowage.core.backend.Backend;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.NodeId;
import dev.stowage.core.lane.Lanes;
import dev.stowage.core.volume.Sizes;
import dev.stowage.driver.DriverProcess;
import dev.stowage.driver.DriverSettings;
import dev.stowage.driver.Ending;
import dev.stowage.driver.call.CallListener;
import dev.stowage.driver.http.HttpAddress;
import dev.stowage.driver.log.LogLevel;
import dev.stowage.driver.log.Logging;
import dev.stowage.driver.transport.Endpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "driver",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Serves the Container Storage Interface 1.13 on a unix socket, in front of one backend.",
            "Every option can also be given by the environment variable in brackets."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:stopped by SIGTERM or SIGINT, after finishing what was under way",
            "1:could not start or go on; the last line on stderr says why",
            "2:wrong usage",
            "3:the machine lacks something; the message says what",
            "4:the kubelet refused the registration"
        })
public final class DriverCommand implements Callable<Integer> {

    private static final Duration LANE_PATIENCE = Duration.ofMillis(500);
    private static final int REGISTRATION_REFUSED = 4;

    enum BackendKind {
        local,
        vsc
    }

    enum Role {
        all,
        controller,
        node
    }

    @Option(
            names = "--backend",
            paramLabel = "NAME",
            defaultValue = "${env:STOWAGE_BACKEND:-local}",
            description = "Where volumes come from: ${COMPLETION-CANDIDATES} [STOWAGE_BACKEND, default local].")
    private BackendKind backend = BackendKind.local;

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            defaultValue = "${env:STOWAGE_ROLE:-all}",
            description = "Which services to offer: ${COMPLETION-CANDIDATES} [STOWAGE_ROLE, default all].")
    private Role role = Role.all;

    @Option(
            names = "--endpoint",
            required = true,
            paramLabel = "unix:///PATH",
            defaultValue = "${env:STOWAGE_ENDPOINT:-${env:CSI_ENDPOINT}}",
            description = "The socket to serve on [STOWAGE_ENDPOINT or CSI_ENDPOINT].")
    private String endpoint = "";

    @Option(
            names = "--node-id",
            paramLabel = "NAME",
            defaultValue = "${env:STOWAGE_NODE_ID}",
            description =
                    "This node's name, as Kubernetes knows it [STOWAGE_NODE_ID]. The controller of a cluster needs none.")
    private @Nullable String nodeId;

    @Option(
            names = "--driver-name",
            paramLabel = "NAME",
            defaultValue = "${env:STOWAGE_DRIVER_NAME}",
            description =
                    "The CSI driver's name [STOWAGE_DRIVER_NAME, default local.stowage.dev, for vsc csi.zadara.com].")
    private @Nullable String driverName;

    @Option(
            names = "--pool",
            paramLabel = "DIR",
            defaultValue = "${env:STOWAGE_POOL}",
            description = {
                "local: where volumes are kept, a directory or a block device [STOWAGE_POOL].",
                "A block device is formatted if, and only if, it is blank."
            })
    private @Nullable Path pool;

    @Option(
            names = "--pool-image",
            paramLabel = "SIZE",
            defaultValue = "${env:STOWAGE_POOL_IMAGE}",
            description =
                    "local: keep the pool in an image of this size inside the directory, so that blocks can be shared on any"
                            + " filesystem, for example 50Gi [STOWAGE_POOL_IMAGE].")
    private @Nullable String poolImage;

    @Option(
            names = "--pool-mount-dir",
            paramLabel = "DIR",
            defaultValue = "${env:STOWAGE_POOL_MOUNT_DIR:-/var/lib/stowage/pools}",
            description =
                    "local: where a block device is mounted [STOWAGE_POOL_MOUNT_DIR, default /var/lib/stowage/pools].")
    private Path poolMountDirectory = LocalSettings.DEFAULT_MOUNT_DIRECTORY;

    @Option(
            names = "--pool-reserve",
            paramLabel = "SIZE",
            defaultValue = "${env:STOWAGE_POOL_RESERVE}",
            description =
                    "local: free space that new volumes leave alone [STOWAGE_POOL_RESERVE, default 5%% of the pool, at most 1Gi].")
    private @Nullable String poolReserve;

    @Option(
            names = "--overcommit",
            paramLabel = "FACTOR",
            defaultValue = "${env:STOWAGE_OVERCOMMIT:-2.0}",
            description = "local: how many times its size the pool may promise [STOWAGE_OVERCOMMIT, default 2.0].")
    private double overcommit = LocalSettings.DEFAULT_OVERCOMMIT;

    @Option(
            names = "--attach-limit",
            paramLabel = "N",
            defaultValue = "${env:STOWAGE_ATTACH_LIMIT:-1000}",
            description =
                    "local: how many volumes may be attached to the node, 0 for no limit [STOWAGE_ATTACH_LIMIT, default 1000].")
    private int attachLimit = LocalSettings.DEFAULT_MOST_VOLUMES;

    @Option(
            names = "--freeze-limit",
            paramLabel = "SECONDS",
            defaultValue = "${env:STOWAGE_FREEZE_LIMIT:-10}",
            description = "local: how long writers may be held up for a snapshot [STOWAGE_FREEZE_LIMIT, default 10].")
    private int freezeLimit = (int) LocalSettings.DEFAULT_LONGEST_FREEZE.toSeconds();

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private ArrayOptions arrays = new ArrayOptions();

    @Option(
            names = "--kubelet-registration-dir",
            paramLabel = "DIR",
            defaultValue = "${env:STOWAGE_KUBELET_REGISTRATION_DIR}",
            description = "Register with the kubelet through a socket in this directory, normally"
                    + " /var/lib/kubelet/plugins_registry [STOWAGE_KUBELET_REGISTRATION_DIR].")
    private @Nullable Path registrationDirectory;

    @Option(
            names = "--kubelet-csi-endpoint",
            paramLabel = "PATH",
            defaultValue = "${env:STOWAGE_KUBELET_CSI_ENDPOINT}",
            description =
                    "The CSI socket's path as the kubelet sees it [STOWAGE_KUBELET_CSI_ENDPOINT, default the endpoint's].")
    private @Nullable String kubeletEndpoint;

    @Option(
            names = "--http",
            paramLabel = "HOST:PORT",
            defaultValue = "${env:STOWAGE_HTTP}",
            description = "Serve /healthz, /readyz, /metrics and /loglevel here [STOWAGE_HTTP].")
    private @Nullable String http;

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            defaultValue = "${env:STOWAGE_LOG_LEVEL:-info}",
            description =
                    "error, warn, info, debug or trace [STOWAGE_LOG_LEVEL, default info]. Can be changed while it runs.")
    private String logLevel = "info";

    @Option(
            names = "--stop-limit",
            paramLabel = "SECONDS",
            defaultValue = "${env:STOWAGE_STOP_LIMIT:-30}",
            description = "How long a stop waits for calls under way [STOWAGE_STOP_LIMIT, default 30].")
    private int stopLimit = 30;

    @Override
    public Integer call() {
        try {
            return serve();
        } catch (StowageException refused) {
            return UntilStopped.refused(refused);
        }
    }

    private int serve() {
        Logging.start(given("--log-level", () -> LogLevel.parse(logLevel)), System.err);
        var points = CrashPoints.fromEnvironment(System.getenv());
        var socket = given("--endpoint", () -> Endpoint.parse(endpoint));
        var address = Optional.ofNullable(http).map(text -> given("--http", () -> HttpAddress.parse(text)));
        if (stopLimit < 0) {
            throw StowageException.invalid("--stop-limit %d: it must not be negative", stopLimit);
        }
        var settings = given(
                "--driver-name",
                () -> new DriverSettings(
                        driverName(),
                        Version.number(),
                        socket,
                        address,
                        Optional.ofNullable(registrationDirectory),
                        Optional.ofNullable(kubeletEndpoint),
                        Duration.ofSeconds(stopLimit),
                        LANE_PATIENCE,
                        points.<CallListener>map(listener -> listener).orElse(CallListener.NONE)));
        var lanes = new Lanes(LANE_PATIENCE);
        return switch (DriverProcess.run(settings, open(lanes), lanes)) {
            case Ending.Asked() -> 0;
            case Ending.RegistrationRefused(var reason) -> {
                System.err.println("stowage: the kubelet refused to register " + driverName() + ": " + reason);
                yield REGISTRATION_REFUSED;
            }
        };
    }

    private Backend open(Lanes lanes) {
        return switch (backend) {
            case local ->
                switch (cluster.pools()) {
                    case own -> LocalBackend.open(localSettings(), role != Role.node, role != Role.controller);
                    case cluster -> openInCluster(lanes);
                };
            case vsc ->
                switch (role) {
                    case controller -> ArrayVolumes.controller(arrays.settings(), cluster.settings(driverName()));
                    case node ->
                        ArrayVolumes.node(
                                arrays.settings(),
                                cluster.settings(driverName()),
                                given("--node-id", () -> new NodeId(nodeId == null ? "" : nodeId)));
                    case all ->
                        throw StowageException.invalid(
                                "--backend vsc: the controller and the nodes are processes of their own; give --role controller or --role node");
                };
        };
    }

    private String driverName() {
        if (driverName != null) {
            return driverName;
        }
        return switch (backend) {
            case local -> LocalSettings.DEFAULT_DRIVER_NAME;
            case vsc -> "csi.zadara.com";
        };
    }

    /** What talks to Kubernetes is only loaded by those who need it. */
    private Backend openInCluster(Lanes lanes) {
        var settings = cluster.settings(driverName());
        return switch (role) {
            case controller -> ClusterPools.controller(settings);
            case node -> ClusterPools.node(settings, localSettings(), lanes);
            case all ->
                throw StowageException.invalid(
                        "--pools cluster: the controller and the nodes are processes of their own; give --role controller or --role node");
        };
    }

    private LocalSettings localSettings() {
        if (pool == null) {
            throw StowageException.invalid("--pool is missing: the local backend keeps its volumes there");
        }
        return new LocalSettings(
                driverName(),
                given("--node-id", () -> new NodeId(nodeId == null ? "" : nodeId)),
                pool,
                size("--pool-image", poolImage),
                poolMountDirectory,
                overcommit,
                size("--pool-reserve", poolReserve),
                attachLimit,
                Duration.ofSeconds(freezeLimit));
    }

    /** Reads an option's value; a value that is refused is told with the option's name. */
    private static <T> T given(String option, Supplier<T> value) {
        try {
            return value.get();
        } catch (StowageException.InvalidRequest refused) {
            throw StowageException.invalid("%s: %s", option, refused.getMessage());
        }
    }

    private static OptionalLong size(String option, @Nullable String value) {
        return value == null ? OptionalLong.empty() : OptionalLong.of(Sizes.parse(option, value));
    }
}
