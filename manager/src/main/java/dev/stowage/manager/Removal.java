package dev.stowage.manager;

import dev.stowage.kube.Api;
import dev.stowage.kube.Events;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Child;
import dev.stowage.manager.apply.Adoption;
import dev.stowage.manager.apply.Children;
import dev.stowage.manager.apply.StatusBook;
import dev.stowage.manager.beside.MountHolders;
import io.fabric8.kubernetes.api.model.storage.VolumeAttachment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

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
    private final MountHolders holders;
    private final boolean protectsVolumes;

    Removal(
            KubernetesClient client,
            Children children,
            StatusBook book,
            Events events,
            Restarts restarts,
            BesideClients beside,
            MountHolders holders,
            boolean protectsVolumes) {
        this.client = client;
        this.children = children;
        this.book = book;
        this.events = events;
        this.restarts = restarts;
        this.beside = beside;
        this.lost = new LostChildren(client);
        this.holders = holders;
        this.protectsVolumes = protectsVolumes;
    }

    /** The volumes that hold the removal up, if it is to wait for them. */
    List<String> blockers(CsiDriverDeployment deployment) {
        boolean protect = Objects.requireNonNullElse(deployment.getSpec().protectVolumes(), protectsVolumes);
        return protect && !begun(deployment) ? inUse(deployment) : List.of();
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

    /** @return whether there is nothing more to do before something changes */
    boolean remove(CsiDriverDeployment deployment, String key) {
        var status = deployment.getStatus();
        if (!begun(deployment)) {
            var used = inUse(deployment);
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
        boolean podsEnded = beside.end(key);
        boolean removed = children.removeOthers(List.of(), key).isEmpty();
        boolean foundAgain = lost.remove(deployment);
        return podsEnded
                && removed
                && foundAgain
                && children.of(key).isEmpty()
                && children.left(key).isEmpty()
                && Api.attempt(
                                Adoption.named(deployment),
                                () -> client.resource(deployment).edit(found -> {
                                    found.getMetadata().getFinalizers().remove(CsiDriverDeployment.FINALIZER);
                                    return found;
                                }))
                        .isPresent();
    }

    /** The volumes of the driver that some node has: those that are attached, and those that pods have without. */
    private List<String> inUse(CsiDriverDeployment deployment) {
        var drivers = drivers(deployment);
        var all = new TreeSet<String>();
        Api.call(
                        "volume attachments",
                        () -> client.storage().v1().volumeAttachments().list().getItems())
                .stream()
                .map(VolumeAttachment::getSpec)
                .filter(attachment -> drivers.contains(attachment.getAttacher()))
                .forEach(attachment ->
                        all.add(on(attachment.getSource().getPersistentVolumeName(), attachment.getNodeName())));
        for (String driver : drivers) {
            for (var use : holders.uses(driver)) {
                if (use.node() != null && !all.contains(on(use.volume(), use.node()))) {
                    all.add(use.toString());
                }
            }
        }
        return List.copyOf(all);
    }

    private static String on(String volume, String node) {
        return volume + " on " + node;
    }

    /** Whether the spec calls the driver as it was deployed. Under another name it could give no volume back. */
    boolean concernsOneDriver(CsiDriverDeployment deployment) {
        return drivers(deployment).size() == 1;
    }

    /** As the spec calls it, and as it was deployed: the one may have become wrong, the other is not known before. */
    private static Set<String> drivers(CsiDriverDeployment deployment) {
        var names = new TreeSet<String>();
        if (deployment.getSpec().driverName() != null) {
            names.add(deployment.getSpec().driverName());
        }
        children(deployment).stream()
                .filter(child -> child.resource().equals("csidrivers"))
                .map(Child::name)
                .forEach(names::add);
        return names;
    }

    private static List<Child> children(CsiDriverDeployment deployment) {
        return Objects.requireNonNullElse(deployment.getStatus().children(), List.of());
    }
}
