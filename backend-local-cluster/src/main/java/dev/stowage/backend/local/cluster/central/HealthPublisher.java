package dev.stowage.backend.local.cluster.central;

import dev.stowage.backend.local.cluster.ClusterSettings;
import dev.stowage.core.health.HealthIssue;
import dev.stowage.kube.Api;
import dev.stowage.kube.local.HealthCondition;
import dev.stowage.kube.local.LocalVolume;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the health of volumes where people and their tools look: as a condition of the volume's resource and, when it changes, as
 * an Event of the claim. The kubelet of today does not ask a driver for it.
 *
 * <p>Several controllers may do this at the same time. An Event's name is made from the change that it tells, and the condition is only
 * written over the one that was seen, so that each change is told once.
 */
final class HealthPublisher implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(HealthPublisher.class);
    private static final String NOTHING_WRONG = "NothingWrong";

    private final KubernetesClient client;
    private final Cluster cluster;
    private final CentralHealth health;
    private final ClaimEvents events;
    private final ScheduledExecutorService rounds = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("health").factory());

    HealthPublisher(ClusterSettings settings, KubernetesClient client, Cluster cluster, CentralHealth health) {
        this.client = client;
        this.cluster = cluster;
        this.health = health;
        this.events = new ClaimEvents(client, settings.driverName());
        long beat = settings.beat().toMillis();
        var _ = rounds.scheduleWithFixedDelay(this::round, beat, beat, TimeUnit.MILLISECONDS);
    }

    private void round() {
        try {
            if (cluster.notReady().isEmpty()) {
                cluster.volumes().made().forEach(this::publish);
            }
        } catch (RuntimeException failure) {
            log.warn("the health of volumes could not be published now, will be tried again: {}", failure.getMessage());
        }
    }

    private void publish(LocalVolume volume) {
        var before = volume.getStatus().conditions().stream()
                .filter(condition -> condition.type().equals(HealthCondition.HEALTHY))
                .findFirst();
        var now = condition(health.issues(volume), before);
        if (before.filter(now::equals).isPresent()) {
            return;
        }
        boolean news = before.isPresent() || !now.status().equals("True");
        if (news) {
            events.tell(volume, before, now);
        }
        write(volume, now);
    }

    private static HealthCondition condition(List<HealthIssue> issues, Optional<HealthCondition> before) {
        String status = issues.isEmpty() ? "True" : notResponding(issues) ? "Unknown" : "False";
        String reason = issues.isEmpty() ? NOTHING_WRONG : issues.getFirst().reason();
        String message = issues.stream()
                .map(issue -> issue.status() + " " + issue.reason() + ": " + issue.message())
                .collect(Collectors.joining("; "));
        String since = before.filter(condition -> condition.status().equals(status)
                        && condition.reason().equals(reason)
                        && condition.message().equals(message))
                .map(HealthCondition::lastTransitionTime)
                .orElseGet(() -> Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        return new HealthCondition(HealthCondition.HEALTHY, status, reason, message, since);
    }

    private static boolean notResponding(List<HealthIssue> issues) {
        return issues.stream().anyMatch(issue -> issue.reason().equals(CentralHealth.NODE_NOT_RESPONDING));
    }

    private void write(LocalVolume volume, HealthCondition condition) {
        var metadata = volume.getMetadata();
        var patch = client.getKubernetesSerialization()
                .asJson(Map.of(
                        "metadata",
                        Map.of("uid", metadata.getUid(), "resourceVersion", metadata.getResourceVersion()),
                        "status",
                        Map.of("conditions", List.of(condition))));
        // Who comes too late sees the change and agrees, or tells the next one.
        var _ = Api.attempt(
                "volume '" + volume.getSpec().name() + "'",
                () -> client.resources(LocalVolume.class)
                        .withName(metadata.getName())
                        .subresource("status")
                        .patch(PatchContext.of(PatchType.JSON_MERGE), patch));
    }

    @Override
    public void close() {
        rounds.shutdownNow();
    }
}
