package dev.stowage.backend.local.cluster.node;

import dev.stowage.backend.local.LocalSettings;
import dev.stowage.backend.local.cluster.order.Ownership;
import dev.stowage.core.health.StorageIssue;
import dev.stowage.kube.local.Issue;
import dev.stowage.kube.local.LocalPool;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What this node tells about its pool. */
final class PoolReport {

    private static final int TOLD_AGAIN_AFTER = 30;

    private final KubernetesClient client;
    private final LocalSettings settings;
    private final PoolResource resource;
    private final String version;
    private final NodePool pool;
    private final Claims claims;
    private @Nullable Map<String, @Nullable Object> lastTold;
    private int since;

    PoolReport(KubernetesClient client, LocalSettings settings, String version, NodePool pool, Claims claims) {
        this.client = client;
        this.settings = settings;
        this.resource = new PoolResource(
                client, new Ownership(settings.driverName()), settings.node().value());
        this.version = version;
        this.pool = pool;
        this.claims = claims;
    }

    /** Tells how the pool is, if that is news. */
    synchronized void tell(List<OwnerReference> owners) {
        var status = status();
        // Now and then without a reason, in case that somebody changed or removed it.
        if (status.equals(lastTold) && since++ < TOLD_AGAIN_AFTER) {
            return;
        }
        String name = resource.present(owners);
        String patch = client.getKubernetesSerialization().asJson(Map.of("status", status));
        client.resources(LocalPool.class)
                .withName(name)
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
        lastTold = status;
        since = 0;
    }

    private Map<String, @Nullable Object> status() {
        var status = new HashMap<String, @Nullable Object>();
        status.put("topology", settings.topology().segments());
        status.put("mostVolumes", settings.mostVolumes());
        status.put("version", version);
        status.put(
                "issues",
                pool.node().storageHealth().stream().map(PoolReport::issue).toList());
        status.put("unclaimed", claims.unclaimed().orElse(null));
        room().ifPresent(status::putAll);
        return status;
    }

    /** Nothing is available from a pool that cannot be looked at; its issues say why. */
    private Optional<Map<String, Object>> room() {
        try {
            var space = pool.view().space();
            return Optional.of(Map.of(
                    "capacityBytes", space.total(),
                    "promisedBytes", space.promised(),
                    "mayPromiseBytes", space.mayPromise(),
                    "availableThinBytes", pool.view().available(false),
                    "availableThickBytes", pool.view().available(true)));
        } catch (RuntimeException unreachable) {
            return Optional.of(Map.of("availableThinBytes", 0L, "availableThickBytes", 0L));
        }
    }

    private static Issue issue(StorageIssue issue) {
        return new Issue(issue.status().name(), issue.reason(), issue.message());
    }
}
