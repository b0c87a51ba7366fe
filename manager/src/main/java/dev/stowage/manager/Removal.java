package dev.stowage.manager;

import dev.stowage.kube.Api;
import dev.stowage.kube.Events;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Child;
import dev.stowage.manager.apply.Adoption;
import dev.stowage.manager.apply.Children;
import dev.stowage.manager.apply.StatusBook;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Objects;

/** Removes everything of a deployment's making, in whatever state it is, and nothing else. */
final class Removal {

    private static final String REMOVED = "Removed";

    private final KubernetesClient client;
    private final Children children;
    private final StatusBook book;
    private final Events events;
    private final Restarts restarts;
    private final BesideClients beside;
    private final boolean protectsVolumes;

    Removal(
            KubernetesClient client,
            Children children,
            StatusBook book,
            Events events,
            Restarts restarts,
            BesideClients beside,
            boolean protectsVolumes) {
        this.client = client;
        this.children = children;
        this.book = book;
        this.events = events;
        this.restarts = restarts;
        this.beside = beside;
        this.protectsVolumes = protectsVolumes;
    }

    /** The volumes that hold the removal up, if it is to wait for them. */
    List<String> blockers(CsiDriverDeployment deployment) {
        boolean protect = Objects.requireNonNullElse(deployment.getSpec().protectVolumes(), protectsVolumes);
        return protect && !begun(deployment) ? attached(deployment) : List.of();
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
                    "volumes are attached, and the driver stays until they are not: " + String.join(", ", blockers));
        }
        return others;
    }

    /** @return whether there is nothing more to do before something changes */
    boolean remove(CsiDriverDeployment deployment, String key) {
        var status = deployment.getStatus();
        if (!begun(deployment)) {
            var attached = attached(deployment);
            if (!attached.isEmpty()) {
                events.warning(
                        deployment,
                        "VolumesAttached",
                        "the driver is removed while volumes are attached, which nobody can detach any more: "
                                + String.join(", ", attached));
            }
            book.write(deployment, status.blockedBy(null).inState(REMOVED));
            // It comes up again with what was just written.
            return true;
        }
        restarts.abandon(key, status.rolloutOrNone());
        boolean clean = beside.end(key)
                && children.removeOthers(List.of(), key).isEmpty()
                && children.of(key).isEmpty()
                && children.left(key).isEmpty();
        return clean
                && Api.attempt(
                                Adoption.named(deployment),
                                () -> client.resource(deployment).edit(found -> {
                                    found.getMetadata().getFinalizers().remove(CsiDriverDeployment.FINALIZER);
                                    return found;
                                }))
                        .isPresent();
    }

    /** The volumes of the driver that some node has. */
    private List<String> attached(CsiDriverDeployment deployment) {
        String driver = driver(deployment);
        return Api.call(
                        "volume attachments",
                        () -> client.storage().v1().volumeAttachments().list().getItems())
                .stream()
                .filter(attachment -> attachment.getSpec().getAttacher().equals(driver))
                .map(attachment -> "%s on %s"
                        .formatted(
                                attachment.getSpec().getSource().getPersistentVolumeName(),
                                attachment.getSpec().getNodeName()))
                .sorted()
                .toList();
    }

    /** Of one whose spec does not tell it any more, as it was deployed. */
    private static String driver(CsiDriverDeployment deployment) {
        String name = deployment.getSpec().driverName();
        return name != null
                ? name
                : Objects.requireNonNullElse(deployment.getStatus().children(), List.<Child>of()).stream()
                        .filter(child -> child.resource().equals("csidrivers"))
                        .map(Child::name)
                        .findFirst()
                        .orElse("");
    }
}
