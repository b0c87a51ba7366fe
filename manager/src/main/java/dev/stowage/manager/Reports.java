package dev.stowage.manager;

import dev.stowage.kube.Cache;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.manager.apply.Children;
import dev.stowage.manager.beside.ReadyPods;
import dev.stowage.manager.driver.Report;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What drivers tell of themselves, asked through the sidecars beside them: the liveness probe of their controller, or the registrar of a
 * driver that has none. Each container is asked once: a driver that was upgraded runs in another.
 */
final class Reports {

    private static final Logger LOG = LoggerFactory.getLogger(Reports.class);
    /** The flag by which each sidecar that can be asked is told its port. */
    private static final Map<String, String> PORTS =
            Map.of("csi-probe", "--health-port=", "csi-driver-registrar", "--http-endpoint=:");

    private final KubernetesClient client;
    private final Cache<Pod> pods;
    private final Map<String, Told> told = new ConcurrentHashMap<>();

    private record Told(String container, Report report) {}

    Reports(KubernetesClient client, Cache<Pod> pods) {
        this.client = client;
        this.pods = pods;
    }

    /**
     * What the driver of a deployment told last; nothing before it has run for the first time. The name of one that could not be asked
     * is not known.
     */
    Optional<Report> of(CsiDriverDeployment deployment) {
        String owner = DeploymentReconciler.key(deployment);
        String where = deployment.getSpec().driverControllerTemplate() == null
                ? CsiDriverDeployment.DAEMON_SET
                : CsiDriverDeployment.DEPLOYMENT;
        // Another deployment may have had the name before.
        String identity = deployment.getMetadata().getUid();
        var newest = newest(owner, where);
        newest.ifPresent(pod -> ask(identity, pod));
        var last = told.get(identity);
        if (last == null) {
            return remembered(deployment);
        }
        boolean another = newest.map(Reports::container)
                .filter(container -> !container.equals(last.container()))
                .isPresent();
        return Optional.of(another ? last.report().nameless() : last.report());
    }

    /** What is in the status was told to a manager before this one. */
    private static Optional<Report> remembered(CsiDriverDeployment deployment) {
        var before = deployment.getStatus().driver();
        return before == null || before.capabilities() == null
                ? Optional.empty()
                : Optional.of(new Report(
                        Objects.requireNonNullElse(before.name(), ""),
                        String.valueOf(before.version()),
                        Set.copyOf(before.capabilities())));
    }

    private Optional<Pod> newest(String owner, String where) {
        return pods.by(Children.BY_OWNER, owner).stream()
                .filter(pod -> pod.getMetadata().getLabels().containsKey(where))
                .filter(ReadyPods::ready)
                .max(Comparator.comparing(pod -> pod.getMetadata().getCreationTimestamp()));
    }

    /** In which the driver runs. */
    private static String container(Pod pod) {
        String driver = pod.getSpec().getContainers().getFirst().getName();
        return pod.getStatus().getContainerStatuses().stream()
                .filter(status -> status.getName().equals(driver))
                .map(status -> String.valueOf(status.getContainerID()))
                .findFirst()
                .orElse("");
    }

    private void ask(String identity, Pod pod) {
        String container = container(pod);
        var before = told.get(identity);
        if (before != null && before.container().equals(container)) {
            return;
        }
        port(pod).ifPresent(port -> ask(identity, container, pod, port));
    }

    private void ask(String identity, String container, Pod pod, String port) {
        String path = "/api/v1/namespaces/%s/pods/%s:%s/proxy/driver"
                .formatted(pod.getMetadata().getNamespace(), pod.getMetadata().getName(), port);
        try {
            var answer = client.raw(path);
            if (answer != null) {
                told.put(identity, new Told(container, read(answer)));
            }
        } catch (KubernetesClientException | IllegalArgumentException failed) {
            // One that is not ours does not know the question.
            LOG.debug(
                    "pod {} does not tell what its driver can",
                    pod.getMetadata().getName(),
                    failed);
        }
    }

    private static Optional<String> port(Pod pod) {
        return pod.getSpec().getContainers().stream()
                .flatMap(container -> argument(container, PORTS.get(container.getName())))
                .findFirst();
    }

    private static Stream<String> argument(Container container, @Nullable String flag) {
        return flag == null
                ? Stream.empty()
                : Stream.ofNullable(container.getArgs())
                        .flatMap(List::stream)
                        .filter(argument -> argument.startsWith(flag))
                        .map(argument -> argument.substring(flag.length()));
    }

    private Report read(String json) {
        Map<?, ?> fields = client.getKubernetesSerialization().unmarshal(json, Map.class);
        var capabilities = new HashSet<String>();
        if (fields.get("capabilities") instanceof List<?> list) {
            list.forEach(each -> capabilities.add(String.valueOf(each)));
        }
        return new Report(
                fields.get("name") instanceof String name ? name : "",
                String.valueOf(fields.get("version")),
                capabilities);
    }
}
