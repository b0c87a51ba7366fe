package dev.stowage.manager;

import dev.stowage.kube.Api;
import dev.stowage.kube.Cache;
import dev.stowage.kube.Events;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.manager.apply.Adoption;
import dev.stowage.manager.apply.Conditions;
import dev.stowage.manager.apply.StatusBook;
import dev.stowage.manager.driver.Validation;
import dev.stowage.manager.metrics.Doings;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;

/** Decides what is to be done about one deployment. */
final class DeploymentReconciler {

    static final String MANAGED = "Managed";
    private static final String UNMANAGED = "Unmanaged";

    private final KubernetesClient client;
    private final Cache<CsiDriverDeployment> deployments;
    private final Management management;
    private final Removal removal;
    private final StatusBook book;
    private final Events events;
    private final Doings doings;

    DeploymentReconciler(
            KubernetesClient client,
            Cache<CsiDriverDeployment> deployments,
            Management management,
            Removal removal,
            StatusBook book,
            Events events,
            Doings doings) {
        this.client = client;
        this.deployments = deployments;
        this.management = management;
        this.removal = removal;
        this.book = book;
        this.events = events;
        this.doings = doings;
    }

    /** @return whether there is nothing more to do before something changes */
    boolean reconcile(String key) {
        var found = deployments.find(key);
        if (found.isEmpty()) {
            return true;
        }
        var deployment = found.get();
        boolean managed = !UNMANAGED.equals(deployment.getSpec().managementState());
        if (deployment.getMetadata().getDeletionTimestamp() != null) {
            return end(deployment, key, managed);
        }
        if (!managed) {
            management.leave(deployment, key);
            book.write(deployment, deployment.getStatus().inState(UNMANAGED));
            return true;
        }
        var problems = Validation.problems(deployment.getMetadata().getName(), deployment.getSpec());
        if (!problems.isEmpty()) {
            refuse(deployment, problems);
            return true;
        }
        return management.manage(protect(deployment), key);
    }

    /** A driver that has to stay until its volumes are detached is looked after until then: it has to detach them. */
    private boolean end(CsiDriverDeployment deployment, String key, boolean managed) {
        var blockers = removal.blockers(deployment);
        if (blockers.isEmpty()) {
            return removal.remove(deployment, key);
        }
        boolean told = removal.tell(deployment, blockers);
        if (!told
                && managed
                && Validation.problems(deployment.getMetadata().getName(), deployment.getSpec())
                        .isEmpty()) {
            management.manage(deployment, key);
        }
        return false;
    }

    /** Nothing else is touched: what runs goes on running. */
    private void refuse(CsiDriverDeployment deployment, List<String> problems) {
        String message = String.join("; ", problems);
        var status = deployment.getStatus();
        var conditions = new Conditions(status.conditions())
                .set(Conditions.SYNC_SUCCESSFUL, "False", "Invalid", message)
                .all();
        if (book.write(deployment, status.inState(MANAGED).with(conditions))) {
            doings.refused(key(deployment));
            events.warning(deployment, "Invalid", message);
        }
    }

    private CsiDriverDeployment protect(CsiDriverDeployment deployment) {
        var present = deployment.getMetadata().getFinalizers();
        if (present != null && present.contains(CsiDriverDeployment.FINALIZER)) {
            return deployment;
        }
        return Api.call(
                Adoption.named(deployment),
                () -> client.resource(deployment).edit(found -> {
                    // The client's own method takes no finalizer without a slash, which this one is by tradition.
                    found.getMetadata().getFinalizers().add(CsiDriverDeployment.FINALIZER);
                    return found;
                }));
    }

    /** NAMESPACE/NAME */
    static String key(CsiDriverDeployment deployment) {
        return deployment.getMetadata().getNamespace() + "/"
                + deployment.getMetadata().getName();
    }
}
