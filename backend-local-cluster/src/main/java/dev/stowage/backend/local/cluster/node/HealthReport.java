package dev.stowage.backend.local.cluster.node;

import dev.stowage.core.health.HealthIssue;
import dev.stowage.core.health.VolumeHealth;
import dev.stowage.core.page.PageRequest;
import dev.stowage.kube.local.Issue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What this node tells about the health of its volumes, whenever it changes. */
final class HealthReport {

    private final NodePool pool;
    private final VolumeFulfiller volumes;

    HealthReport(NodePool pool, VolumeFulfiller volumes) {
        this.pool = pool;
        this.volumes = volumes;
    }

    void tell() {
        Map<String, VolumeHealth> ailing =
                pool.controller().health().orElseThrow().ailing(PageRequest.ALL).entries().stream()
                        .collect(Collectors.toMap(health -> health.volume().value(), Function.identity()));
        for (var order : volumes.orders()) {
            var id = order.getStatus().made();
            if (id.isEmpty() || order.isMarkedForDeletion()) {
                continue;
            }
            var health = ailing.get(id.get());
            List<Issue> issues = health == null
                    ? List.of()
                    : health.issues().stream().map(HealthReport::issue).toList();
            if (!issues.equals(order.getStatus().health())) {
                var status = new HashMap<String, @Nullable Object>();
                status.put("health", issues);
                volumes.tell(order, status);
            }
        }
    }

    private static Issue issue(HealthIssue issue) {
        return new Issue(issue.status().name(), issue.reason(), issue.message());
    }
}
