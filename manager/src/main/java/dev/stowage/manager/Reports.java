package dev.stowage.manager;

import dev.stowage.kube.Api;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.kube.work.Backoff;
import dev.stowage.manager.beside.ReadyPods;
import dev.stowage.manager.driver.Report;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What drivers tell of themselves, asked through the sidecars beside them: the liveness probe of their controller, or the registrar of a
 * driver that has none. Each container is asked until it has told: a driver that was upgraded runs in another.
 */
final class Reports {

    private static final Logger LOG = LoggerFactory.getLogger(Reports.class);
    /** The flag by which each sidecar that can be asked is told its port. */
    private static final Map<String, String> PORTS =
            Map.of("csi-probe", "--health-port=", "csi-driver-registrar", "--http-endpoint=:");
    /** What those of this product are called with, which know the question. */
    private static final String OURS = "sidecar";

    private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5));
    /** So that nobody comes too early to ask again, by whichever clock. */
    private static final Duration MARGIN = Duration.ofMillis(200);
    /** A pod that has just become ready may not be reached at once, which is nothing to speak of. */
    private static final int TRIES = 3;

    private static final int LONGEST_CAUSE = 300;

    private final Preflights.Proxy proxy;
    private final Function<String, Collection<Pod>> pods;
    private final InstantSource clock;
    private final BiConsumer<String, Duration> later;
    private final KubernetesSerialization serialization = new KubernetesSerialization();
    private final Map<String, Told> told = new ConcurrentHashMap<>();
    private final Map<String, Silence> silent = new ConcurrentHashMap<>();

    private record Told(String container, Report report) {}

    /** A driver that was asked in vain, so often, and is not asked again before that time. */
    private record Silence(String container, int failures, Instant next, String why) {}

    /** A sidecar that may know the question. */
    private record Sidecar(String port, boolean ours) {}

    /**
     * What is known of a driver.
     *
     * @param report what it told last; nothing before it has run for the first time. The name of one that could not be asked is not known
     * @param silence why the one that runs now does not tell, when it should and that lasts
     */
    record Answer(Optional<Report> report, Optional<String> silence) {}

    /**
     * Nobody has told anything yet.
     *
     * @param pods of a deployment
     * @param later is told which deployment is to come up again, and when
     */
    Reports(
            Preflights.Proxy proxy,
            Function<String, Collection<Pod>> pods,
            InstantSource clock,
            BiConsumer<String, Duration> later) {
        this.proxy = proxy;
        this.pods = pods;
        this.clock = clock;
        this.later = later;
    }

    Answer of(CsiDriverDeployment deployment) {
        String owner = DeploymentReconciler.key(deployment);
        String where = deployment.getSpec().driverControllerTemplate() == null
                ? CsiDriverDeployment.DAEMON_SET
                : CsiDriverDeployment.DEPLOYMENT;
        // Another deployment may have had the name before.
        String identity = deployment.getMetadata().getUid();
        var newest = newest(owner, where);
        newest.ifPresent(pod -> ask(owner, identity, pod));
        var container = newest.map(Reports::container);
        return new Answer(report(deployment, container), silence(identity, container));
    }

    private Optional<Report> report(CsiDriverDeployment deployment, Optional<String> container) {
        var last = told.get(deployment.getMetadata().getUid());
        if (last == null) {
            return remembered(deployment);
        }
        boolean another = container.filter(now -> !now.equals(last.container())).isPresent();
        return Optional.of(another ? last.report().nameless() : last.report());
    }

    /** A pod that is not ready for a moment has not told anything by that. */
    private Optional<String> silence(String identity, Optional<String> container) {
        return Optional.ofNullable(silent.get(identity))
                .filter(silence -> silence.failures() >= TRIES)
                .filter(silence -> container
                        .filter(now -> !now.equals(silence.container()))
                        .isEmpty())
                .map(Silence::why);
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
        return pods.apply(owner).stream()
                .filter(pod -> pod.getMetadata().getLabels().containsKey(where))
                .filter(ReadyPods::ready)
                // Pods of nodes may come in the same second, and the same one is to be asked again.
                .max(Comparator.comparing((Pod pod) -> pod.getMetadata().getCreationTimestamp())
                        .thenComparing(pod -> pod.getMetadata().getName()));
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

    private void ask(String owner, String identity, Pod pod) {
        String container = container(pod);
        var before = told.get(identity);
        if (before != null && before.container().equals(container)) {
            return;
        }
        var silence = silent.get(identity);
        boolean early = silence != null
                && silence.container().equals(container)
                && silence.next().isAfter(clock.instant());
        if (!early) {
            sidecar(pod).ifPresent(sidecar -> ask(owner, identity, container, pod, sidecar));
        }
    }

    private void ask(String owner, String identity, String container, Pod pod, Sidecar sidecar) {
        String path = "/api/v1/namespaces/%s/pods/%s:%s/proxy/driver"
                .formatted(pod.getMetadata().getNamespace(), pod.getMetadata().getName(), sidecar.port());
        try {
            var answer = proxy.get(path);
            if (answer != null) {
                told.put(identity, new Told(container, read(answer)));
                silent.remove(identity);
                return;
            }
            keep(owner, identity, container, sidecar, untold(pod, sidecar, "there is no such page"));
        } catch (KubernetesClientException failed) {
            keep(owner, identity, container, sidecar, untold(pod, sidecar, Api.reason(failed)));
        } catch (IllegalArgumentException unreadable) {
            keep(owner, identity, container, sidecar, untold(pod, sidecar, "the answer cannot be read"));
        }
    }

    private static String untold(Pod pod, Sidecar sidecar, String cause) {
        return "pod %s/%s does not tell at port %s what its driver can do (%s)"
                .formatted(
                        pod.getMetadata().getNamespace(),
                        pod.getMetadata().getName(),
                        sidecar.port(),
                        cause.substring(0, Math.min(cause.length(), LONGEST_CAUSE)));
    }

    private void keep(String owner, String identity, String container, Sidecar sidecar, String why) {
        LOG.debug("{}: {}", owner, why);
        if (!sidecar.ours()) {
            // It need not know the question.
            return;
        }
        var before = silent.get(identity);
        int failures = before != null && before.container().equals(container) ? before.failures() + 1 : 1;
        // Once it is told it stays, because the words of the same cause may differ from one time to the next.
        String lasting = before != null && failures > TRIES ? before.why() : why;
        var pause = BACKOFF.after(failures);
        silent.put(identity, new Silence(container, failures, clock.instant().plus(pause), lasting));
        later.accept(owner, pause.plus(MARGIN));
    }

    private static Optional<Sidecar> sidecar(Pod pod) {
        return pod.getSpec().getContainers().stream()
                .flatMap(container -> argument(container, PORTS.get(container.getName()))
                        .map(port ->
                                new Sidecar(port, container.getArgs().getFirst().equals(OURS))))
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
        Map<?, ?> fields = serialization.unmarshal(json, Map.class);
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
