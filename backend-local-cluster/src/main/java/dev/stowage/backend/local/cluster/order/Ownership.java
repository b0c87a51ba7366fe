package dev.stowage.backend.local.cluster.order;

import dev.stowage.backend.local.LocalSettings;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.NodeId;
import dev.stowage.kube.local.LocalPool;
import dev.stowage.kube.local.LocalResources;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Map;
import java.util.Optional;

/**
 * Which driver a resource belongs to. Drivers of several names share a cluster, and none touches what is another's.
 *
 * <p>A resource carries its driver's name as a label. What has none is from the time when a cluster had one driver. Its owner is not
 * guessed: the pool of a node, which then had the node's name, says in its topology whose it is, and what was ordered from that node
 * was ordered by the same driver.
 */
public record Ownership(String driver) {

    /** As the API server selects what is ours. */
    public Map<String, String> selector() {
        return Map.of(LocalResources.DRIVER_LABEL, driver);
    }

    public boolean isMine(HasMetadata resource) {
        return labelled(resource).filter(driver::equals).isPresent();
    }

    /** Refuses what has the name of a resource of ours and is none. */
    public <R extends HasMetadata> R requireMine(String what, R resource) {
        if (isMine(resource)) {
            return resource;
        }
        String name = resource.getMetadata().getName();
        var owner = labelled(resource);
        throw owner.isPresent()
                ? StowageException.notPossible(
                        "%s: the resource %s is of the driver %s, which has it from the time when a cluster had one driver; use another name",
                        what, name, owner.get())
                : StowageException.busy(
                        "%s: the resource %s has no label %s yet; repeat the call, and give it the label by hand if it stays so",
                        what, name, LocalResources.DRIVER_LABEL);
    }

    /** The owner that a resource names itself. */
    public static Optional<String> labelled(HasMetadata resource) {
        var labels = resource.getMetadata().getLabels();
        return labels == null ? Optional.empty() : Optional.ofNullable(labels.get(LocalResources.DRIVER_LABEL));
    }

    /** The same metadata, with our name. */
    public ObjectMeta named(ObjectMeta metadata) {
        return new ObjectMetaBuilder(metadata).addToLabels(selector()).build();
    }

    /** Whether a pool is ours, by its label or, where it has none, by what its node told. Nobody's, as long as it told nothing. */
    public boolean isMyPool(LocalPool pool) {
        return labelled(pool)
                .map(driver::equals)
                .orElseGet(() ->
                        topology(pool.getSpec().node()).equals(pool.getStatus().topology()));
    }

    private Map<String, String> topology(String node) {
        return LocalSettings.topology(driver, new NodeId(node)).segments();
    }

    /**
     * Whether an order without a label is ours.
     *
     * @param former the pool that has the name of the order's node, if there is one: it is of the driver that there was
     */
    public boolean isMyOrder(Optional<LocalPool> former) {
        return former.map(this::isMyPool).orElseGet(this::isDefault);
    }

    /** Of drivers, only the one of the default name takes what nothing is known about. */
    public boolean isDefault() {
        return driver.equals(LocalSettings.DEFAULT_DRIVER_NAME);
    }
}
