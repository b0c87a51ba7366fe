package dev.stowage.backend.local.cluster.central;

import dev.stowage.core.backend.Gauge;
import dev.stowage.core.backend.Health;
import dev.stowage.core.health.HealthIssue;
import dev.stowage.core.health.VolumeHealth;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.page.Page;
import dev.stowage.core.page.PageRequest;
import dev.stowage.core.page.Paging;
import dev.stowage.kube.local.Issue;
import dev.stowage.kube.local.LocalVolume;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What is wrong with volumes, as their nodes told; and what nobody can tell, because the node does not answer. */
final class CentralHealth implements Health {

    static final String NODE_NOT_RESPONDING = "NodeNotResponding";

    private final Cluster cluster;
    private final CentralVolumes volumes;

    CentralHealth(Cluster cluster, CentralVolumes volumes) {
        this.cluster = cluster;
        this.volumes = volumes;
    }

    @Override
    public VolumeHealth of(VolumeId volume) {
        return new VolumeHealth(volume, issues(volumes.require(volume)));
    }

    @Override
    public Page<VolumeHealth> ailing(PageRequest page) {
        cluster.requireReady();
        var all = new TreeMap<VolumeId, VolumeHealth>();
        cluster.volumes()
                .made()
                .forEach(order -> order.getStatus().made().map(VolumeId::new).ifPresent(id -> {
                    var issues = issues(order);
                    if (!issues.isEmpty()) {
                        all.put(id, new VolumeHealth(id, issues));
                    }
                }));
        return Paging.of(all, page, VolumeId::new, health -> true);
    }

    /** A node that does not answer is all that is known of its volumes; what it told last may have changed. */
    List<HealthIssue> issues(LocalVolume order) {
        return cluster.nodes()
                .silence(order.getSpec().node())
                .map(silence -> List.of(new HealthIssue(
                        HealthIssue.Status.INACCESSIBLE,
                        NODE_NOT_RESPONDING,
                        silence + "; the volume is on that node and comes back with it")))
                .orElseGet(() -> order.getStatus().health().stream()
                        .map(CentralHealth::issue)
                        .toList());
    }

    /** What is wrong, one figure each, and which nodes answer. */
    List<Gauge> gauges() {
        var nodes = cluster.pools()
                .map(pool -> pool.getSpec().node())
                .sorted()
                .map(node -> new Gauge(
                        "stowage_local_node_answers",
                        "Whether the driver on a node answers.",
                        Map.of("node", node),
                        cluster.nodes().answers(node) ? 1 : 0));
        var ailing = cluster.volumes()
                .made()
                .flatMap(order -> issues(order).stream()
                        .map(issue -> new Gauge(
                                "stowage_volume_unhealthy",
                                "What is wrong with a volume; none for a healthy one.",
                                Map.of(
                                        "volume", order.getStatus().made().orElse(""),
                                        "request", order.getSpec().name(),
                                        "node", order.getSpec().node(),
                                        "status", issue.status().name(),
                                        "reason", issue.reason()),
                                1)));
        return Stream.concat(nodes, ailing).toList();
    }

    private static HealthIssue issue(Issue issue) {
        var status = switch (issue.status()) {
            case "DEGRADED" -> HealthIssue.Status.DEGRADED;
            case "DATA_LOSS" -> HealthIssue.Status.DATA_LOSS;
            default -> HealthIssue.Status.INACCESSIBLE;
        };
        return new HealthIssue(status, issue.reason(), issue.message());
    }
}
