package dev.stowage.manager;

import dev.stowage.kube.Api;
import dev.stowage.kube.Events;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.manager.apply.Adoption;
import dev.stowage.manager.apply.Children;
import dev.stowage.manager.apply.Conditions;
import dev.stowage.manager.apply.StatusBook;
import dev.stowage.manager.beside.MountHolders;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;

/** Removes everything of a deployment's making, in whatever state it is, and nothing else. */
final class Removal {

    private static final String REMOVED = "Removed";

    private final KubernetesClient client;
    private final Children children;
    private final StatusBook book;
    private final Events events;
    private final Restarts restarts;
    private final BesideClients beside;
    private final LostChildren lost;
    private final KnownNames names;
    private final MountHolders holders;
    private final Protection protection;

    Removal(
            KubernetesClient client,
            Children children,
            StatusBook book,
            Events events,
            Restarts restarts,
            BesideClients beside,
            KnownNames names,
            MountHolders holders,
            Protection protection) {
        this.client = client;
        this.children = children;
        this.book = book;
        this.events = events;
        this.restarts = restarts;
        this.beside = beside;
        this.lost = new LostChildren(client);
        this.names = names;
        this.holders = holders;
        this.protection = protection;
    }

    /**
     * The volumes of the driver that some node has. They are looked at once: what holds the removal up and what is told when it does not
     * must be the same.
     */
    List<String> inUse(CsiDriverDeployment deployment) {
        return begun(deployment)
                ? List.of()
                : holders.look(names.of(deployment)).anywhere();
    }

    /** Whether volumes hold the removal up. */
    boolean waits(CsiDriverDeployment deployment) {
        return protection.of(deployment.getSpec()) && !begun(deployment);
    }

    private static boolean begun(CsiDriverDeployment deployment) {
        return REMOVED.equals(deployment.getStatus().state());
    }

    /** @return whether others were told before */
    boolean tell(CsiDriverDeployment deployment, List<String> blockers) {
        boolean others = book.write(deployment, deployment.getStatus().blockedBy(blockers));
        if (others) {
            events.warning(
                    deployment,
                    "DeletionWaits",
                    "volumes are attached or mounted, and the driver stays until they are not: "
                            + String.join(", ", blockers));
        }
        return others;
    }

    /**
     * Goes one step.
     *
     * @param used volumes that some node has, which nobody waits for
     * @return whether there is nothing more to do before something changes
     */
    boolean remove(CsiDriverDeployment deployment, String key, List<String> used) {
        var status = deployment.getStatus();
        if (!begun(deployment)) {
            if (!used.isEmpty()) {
                events.warning(
                        deployment,
                        "VolumesAttached",
                        "the driver is removed while volumes are attached or mounted, %d in all, which nobody can take back any more"
                                .formatted(used.size()),
                        used);
            }
            book.write(deployment, status.blockedBy(null).inState(REMOVED));
            // It comes up again with what was just written.
            return true;
        }
        restarts.abandon(key, status.rolloutOrNone());
        // What is in the way of one part holds up none of the others.
        var remains = beside.end(key).and(removeChildren(key)).and(lost.remove(deployment));
        if (!remains.inTheWay().isEmpty()) {
            tellWhatIsInTheWay(deployment, remains);
        }
        return remains.gone()
                && children.left(key).isEmpty()
                && Api.attempt(
                                Adoption.named(deployment),
                                () -> client.resource(deployment).edit(found -> {
                                    found.getMetadata().getFinalizers().remove(CsiDriverDeployment.FINALIZER);
                                    return found;
                                }))
                        .isPresent();
    }

    private Remains removeChildren(String key) {
        var inTheWay = new ArrayList<>(children.removeOthers(List.of(), key));
        var left = children.of(key);
        left.stream().flatMap(Remains::held).forEach(inTheWay::add);
        return new Remains(left.isEmpty(), inTheWay);
    }

    private void tellWhatIsInTheWay(CsiDriverDeployment deployment, Remains remains) {
        String message = "it is not removed yet: " + String.join("; ", remains.inTheWay());
        var status = deployment.getStatus();
        var conditions = new Conditions(status.conditions())
                .set(Conditions.SYNC_SUCCESSFUL, "False", "Failed", message)
                .all();
        if (book.write(deployment, status.with(conditions))) {
            events.warning(deployment, "DeletionFails", message);
        }
    }

    /** Whether the spec calls the driver as it was deployed. Under another name it could give no volume back. */
    boolean concernsOneDriver(CsiDriverDeployment deployment) {
        return names.former(deployment).isEmpty();
    }
}
