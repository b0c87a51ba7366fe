package dev.stowage.manager;

import dev.stowage.manager.driver.Finding;
import dev.stowage.manager.driver.NodeConditions;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the registrars of drivers found on their nodes.
 *
 * <p>Nobody waits for it: what is known is told at once, and when more is known, the deployment comes up again. What was found stays
 * found while its registrar cannot be reached, because a node does not change by that.
 */
final class Preflights {

    private static final Logger LOG = LoggerFactory.getLogger(Preflights.class);
    private static final String REGISTRAR = "csi-driver-registrar";
    private static final String ENDPOINT = "--http-endpoint=:";
    private static final String LOOKS = "--host-proc=";
    private static final Duration AGAIN = Duration.ofMinutes(10);
    private static final Duration FORGOTTEN = Duration.ofHours(1);
    private static final Duration PAUSE = Duration.ofSeconds(2);
    private static final int TRIES = 5;
    private static final int AT_ONCE = 4;
    private static final int LONGEST_MESSAGE = 500;
    private static final Set<Integer> FINAL =
            Set.of(HttpURLConnection.HTTP_NOT_FOUND, HttpURLConnection.HTTP_FORBIDDEN);

    private static final List<Finding> NOT_OURS =
            NodeConditions.unknown("the registrar of this deployment is not the manager's own, which would tell");
    private static final List<Finding> SILENT = NodeConditions.unknown("the registrar on this node does not tell");

    private final Proxy proxy;
    private final InstantSource clock;
    private final Duration pause;
    private final Consumer<String> changed;
    private final KubernetesSerialization serialization = new KubernetesSerialization();
    private final Semaphore places = new Semaphore(AT_ONCE, true);
    private final Map<String, Known> known = new HashMap<>();

    /** How pods are asked. */
    interface Proxy {
        /** @return nothing when there is no such page or pod */
        @Nullable
        String get(String path);
    }

    /** Of one pod. A container has a new id after each restart. */
    private record Known(String container, Instant asked, boolean underWay, Optional<List<Finding>> findings) {}

    /** @param changed is told the deployment of which more is known */
    Preflights(Proxy proxy, InstantSource clock, Consumer<String> changed) {
        this(proxy, clock, PAUSE, changed);
    }

    /** @param pause between two tries */
    Preflights(Proxy proxy, InstantSource clock, Duration pause, Consumer<String> changed) {
        this.proxy = proxy;
        this.clock = clock;
        this.pause = pause;
        this.changed = changed;
    }

    /** What is known of the node of a pod; nothing before it was asked for the first time. */
    Optional<List<Finding>> of(String owner, Pod pod) {
        var port = port(pod);
        if (port.isEmpty()) {
            return Optional.of(NOT_OURS);
        }
        var container = running(pod);
        return container.isPresent()
                ? askWhenItIsTime(owner, pod, port.get(), container.get())
                : find(pod).flatMap(Known::findings);
    }

    private static Optional<String> port(Pod pod) {
        return pod.getSpec().getContainers().stream()
                .filter(container -> container.getName().equals(REGISTRAR))
                .filter(container -> argument(container, LOOKS).isPresent())
                .findFirst()
                .flatMap(container -> argument(container, ENDPOINT));
    }

    private static Optional<String> argument(Container container, String flag) {
        return Stream.ofNullable(container.getArgs())
                .flatMap(List::stream)
                .filter(argument -> argument.startsWith(flag))
                .map(argument -> argument.substring(flag.length()))
                .findFirst();
    }

    /** The registrar that runs, also before it is ready: what is missing on the node may be why it is not. */
    private static Optional<String> running(Pod pod) {
        if (pod.getMetadata().getDeletionTimestamp() != null
                || pod.getStatus() == null
                || pod.getStatus().getContainerStatuses() == null) {
            return Optional.empty();
        }
        return pod.getStatus().getContainerStatuses().stream()
                .filter(status -> status.getName().equals(REGISTRAR))
                .filter(status -> status.getState() != null && status.getState().getRunning() != null)
                .map(ContainerStatus::getContainerID)
                .findFirst();
    }

    private synchronized Optional<Known> find(Pod pod) {
        return Optional.ofNullable(known.get(pod.getMetadata().getUid()));
    }

    private synchronized Optional<List<Finding>> askWhenItIsTime(String owner, Pod pod, String port, String container) {
        var now = clock.instant();
        var before = find(pod);
        var findings = before.flatMap(Known::findings);
        boolean fresh = before.filter(last -> last.underWay()
                        || last.container().equals(container)
                                && last.asked().plus(AGAIN).isAfter(now))
                .isPresent();
        if (!fresh) {
            known.values().removeIf(each -> each.asked().plus(FORGOTTEN).isBefore(now));
            known.put(pod.getMetadata().getUid(), new Known(container, now, true, findings));
            String path = "/api/v1/namespaces/%s/pods/%s:%s/proxy/preflight"
                    .formatted(
                            pod.getMetadata().getNamespace(), pod.getMetadata().getName(), port);
            Thread.ofVirtual()
                    .name("preflight " + pod.getMetadata().getName())
                    .start(() -> ask(owner, pod.getMetadata().getUid(), path, container));
        }
        return findings;
    }

    private void ask(String owner, String uid, String path, String container) {
        Optional<List<Finding>> answer = Optional.empty();
        try {
            answer = patiently(path).map(this::read);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException failed) {
            // Whatever it was, it must not keep the pod from being asked again.
            LOG.info("{} cannot be asked now, will be again in {}: {}", path, AGAIN, failed.getMessage());
        }
        if (remember(uid, container, answer)) {
            changed.accept(owner);
        }
    }

    /** @return whether that is new */
    private synchronized boolean remember(String uid, String container, Optional<List<Finding>> answer) {
        var before = known.get(uid);
        var former = before == null ? Optional.<List<Finding>>empty() : before.findings();
        var now = answer.or(() -> former).or(() -> Optional.of(SILENT));
        known.put(uid, new Known(container, clock.instant(), false, now));
        return !now.equals(former);
    }

    /** A container that has just begun does not answer yet. Whoever waits for one does not keep others waiting. */
    private Optional<String> patiently(String path) throws InterruptedException {
        for (int attempt = 1; attempt < TRIES; attempt++) {
            try {
                return inTurn(path);
            } catch (KubernetesClientException failed) {
                LOG.debug("{} is not answered", path, failed);
                if (FINAL.contains(failed.getCode())) {
                    return Optional.empty();
                }
                Thread.sleep(pause);
            }
        }
        return inTurn(path);
    }

    private Optional<String> inTurn(String path) throws InterruptedException {
        places.acquire();
        try {
            return Optional.ofNullable(proxy.get(path));
        } finally {
            places.release();
        }
    }

    private List<Finding> read(String json) {
        List<?> list = serialization.unmarshal(json, List.class);
        return list.stream()
                .filter(Map.class::isInstance)
                .map(Map.class::cast)
                .map(Preflights::finding)
                .toList();
    }

    private static Finding finding(Map<?, ?> fields) {
        String message = String.valueOf(fields.get("message"));
        return new Finding(
                String.valueOf(fields.get("name")),
                fields.get("ok") instanceof Boolean ok ? ok : null,
                message.substring(0, Math.min(message.length(), LONGEST_MESSAGE)));
    }
}
