package dev.stowage.cli.manager;

import dev.stowage.cli.UntilStopped;
import dev.stowage.cli.Version;
import dev.stowage.core.error.StowageException;
import dev.stowage.driver.http.HttpAddress;
import dev.stowage.driver.http.ObservabilityServer;
import dev.stowage.kube.KubernetesClients;
import dev.stowage.manager.Manager;
import dev.stowage.manager.ManagerSettings;
import dev.stowage.manager.driver.RenderingSettings;
import dev.stowage.manager.driver.SidecarImages;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Deploys CSI drivers by the CSIDriverDeployment objects of a cluster. */
@Command(
        name = "manager",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = "Deploys CSI drivers, ours or not, as CSIDriverDeployment objects say, and keeps them so.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:stopped by SIGTERM or SIGINT; what was deployed goes on",
            "1:could not start, or does not lead any more; the last line on stderr says why",
            "2:wrong usage"
        })
public final class ManagerCommand implements Callable<Integer> {

    private static final Logger log = LoggerFactory.getLogger(ManagerCommand.class);

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "For a manager outside of the cluster; in a pod its service account is used.")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            description = "Where managers elect their leader, default the pod's own.")
    private @Nullable String namespace;

    @Option(
            names = "--image",
            paramLabel = "IMAGE",
            description =
                    "The image of this product, for attachers, registrars and liveness probes, default that of this version.")
    private String image = "stowage.dev/stowage:" + Version.number().replace("-SNAPSHOT", "");

    @Option(
            names = "--provisioner-image",
            paramLabel = "IMAGE",
            defaultValue = "registry.k8s.io/sig-storage/csi-provisioner:v5.1.0",
            description = "The stock provisioner, default ${DEFAULT-VALUE}.")
    private String provisioner = "";

    @Option(
            names = "--resizer-image",
            paramLabel = "IMAGE",
            defaultValue = "registry.k8s.io/sig-storage/csi-resizer:v1.14.0",
            description = "The stock resizer, default ${DEFAULT-VALUE}.")
    private String resizer = "";

    @Option(
            names = "--snapshotter-image",
            paramLabel = "IMAGE",
            defaultValue = "registry.k8s.io/sig-storage/csi-snapshotter:v8.3.0",
            description = "The stock snapshotter, default ${DEFAULT-VALUE}.")
    private String snapshotter = "";

    @Option(
            names = "--kubelet-directory",
            paramLabel = "DIR",
            defaultValue = "/var/lib/kubelet",
            description = "Of all nodes, default ${DEFAULT-VALUE}.")
    private String kubeletDirectory = "";

    @Option(
            names = "--infrastructure-nodes",
            paramLabel = "LABEL=VALUE",
            description = "Where controllers of drivers run that do not say it themselves. Can be given several times.")
    private Map<String, String> infrastructureNodes = new LinkedHashMap<>();

    @Option(
            names = "--controller-replicas",
            paramLabel = "NUMBER",
            defaultValue = "1",
            description = "How many controllers each driver has, default ${DEFAULT-VALUE}.")
    private int replicas;

    @Option(
            names = "--rollout-deadline",
            paramLabel = "SECONDS",
            defaultValue = "300",
            description =
                    "How long a driver of a new template may take on a node before the last good template comes back, default"
                            + " ${DEFAULT-VALUE}.")
    private int rolloutDeadline;

    @Option(
            names = "--protect-volumes",
            description =
                    "Remove no driver while volumes of it are attached or mounted, where its deployment does not say it itself.")
    private boolean protectVolumes;

    @Option(
            names = "--weka-config",
            paramLabel = "NAMESPACE/NAME",
            description =
                    "Look after WekaClients, too. Under csi.yaml this ConfigMap has what is decided for their drivers; it is followed while"
                            + " the manager runs.")
    private @Nullable String wekaConfig;

    @Option(
            names = {"--http-address", "--http"},
            paramLabel = "HOST:PORT",
            description = "Serve /healthz, /readyz, /metrics and /loglevel here.")
    private @Nullable String http;

    @Mixin
    private UntilStopped running = new UntilStopped();

    @Override
    public Integer call() throws InterruptedException {
        return running.run(this::manage);
    }

    private void manage(CountDownLatch stop) throws InterruptedException {
        var address = Optional.ofNullable(http).map(HttpAddress::parse);
        try (var manager = Manager.start(settings(), ManagerCommand::end)) {
            var pages = address.map(each -> serve(each, manager));
            log.info("the manager waits for CSIDriverDeployments{}", wekaConfig == null ? "" : " and WekaClients");
            stop.await();
            pages.ifPresent(ObservabilityServer::close);
        }
    }

    /** Another one leads by now, so nothing must be finished in order. */
    private static void end(String why) {
        System.err.println("stowage: " + why);
        Runtime.getRuntime().halt(1);
    }

    private static ObservabilityServer serve(HttpAddress address, Manager manager) {
        var server = ObservabilityServer.start(address, manager::problem, manager::unready, manager::metrics);
        log.info("health and metrics are served on port {}", server.port());
        return server;
    }

    private ManagerSettings settings() {
        if (replicas < 1) {
            throw StowageException.invalid("--controller-replicas has to be at least 1");
        }
        if (rolloutDeadline < 1) {
            throw StowageException.invalid("--rollout-deadline has to be at least 1 second");
        }
        if (!kubeletDirectory.startsWith("/")) {
            throw StowageException.invalid("--kubelet-directory %s: it has to be an absolute path", kubeletDirectory);
        }
        if (wekaConfig != null && !wekaConfig.matches("[^/]+/[^/]+")) {
            throw StowageException.invalid("--weka-config %s: it has to be NAMESPACE/NAME", wekaConfig);
        }
        return new ManagerSettings(
                Optional.ofNullable(kubeconfig),
                namespace == null ? KubernetesClients.namespace() : namespace,
                Version.number(),
                Duration.ofMinutes(10),
                Duration.ofSeconds(rolloutDeadline),
                new RenderingSettings(
                        SidecarImages.of(image, provisioner, resizer, snapshotter),
                        kubeletDirectory.replaceAll("/+$", ""),
                        infrastructureNodes,
                        replicas),
                protectVolumes,
                Optional.ofNullable(wekaConfig));
    }
}
