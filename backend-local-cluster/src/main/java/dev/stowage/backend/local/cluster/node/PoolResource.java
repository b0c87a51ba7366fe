package dev.stowage.backend.local.cluster.node;

import dev.stowage.backend.local.cluster.order.Ownership;
import dev.stowage.backend.local.cluster.order.ResourceNames;
import dev.stowage.kube.local.LocalPool;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.List;
import java.util.Optional;

/**
 * The resource of this driver's pool on this node, found or made.
 *
 * <p>The node's own name is that of the driver of the default name, unless a driver of another name has it from the time when a cluster
 * had one driver; that driver keeps it.
 */
final class PoolResource {

    private final MixedOperation<LocalPool, KubernetesResourceList<LocalPool>, Resource<LocalPool>> pools;
    private final Ownership owner;
    private final String node;
    private final String ofDriver;

    PoolResource(KubernetesClient client, Ownership owner, String node) {
        this.pools = client.resources(LocalPool.class);
        this.owner = owner;
        this.node = node;
        this.ofDriver = new ResourceNames(owner).pool(node);
    }

    /** @return the name of the resource, which is there and carries this driver's label */
    String present(List<OwnerReference> owners) {
        // First the name that nobody else can have: a driver that once took it keeps it, so that a pool is told once.
        var certain = named(ofDriver);
        if (certain.isPresent()) {
            return labelled(certain.get());
        }
        var former = named(node);
        if (former.isPresent() && owner.isMyPool(former.get())) {
            return labelled(former.get());
        }
        return made(former.isEmpty() && owner.isDefault() ? node : ofDriver, owners);
    }

    private Optional<LocalPool> named(String name) {
        return Optional.ofNullable(pools.withName(name).get());
    }

    private String labelled(LocalPool pool) {
        if (!owner.isMine(pool)) {
            pool.setMetadata(owner.named(pool.getMetadata()));
            pools.resource(pool).lockResourceVersion().update();
        }
        return pool.getMetadata().getName();
    }

    private String made(String name, List<OwnerReference> owners) {
        var made = new LocalPool();
        made.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withOwnerReferences(owners)
                .addToLabels(owner.selector())
                .build());
        made.setSpec(new LocalPool.Spec(node));
        pools.resource(made).create();
        return name;
    }
}
