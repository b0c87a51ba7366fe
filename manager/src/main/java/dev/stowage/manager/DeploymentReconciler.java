package dev.stowage.manager;

import dev.stowage.kube.Api;
import dev.stowage.kube.Cache;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.manager.apply.Adoption;
import dev.stowage.manager.apply.StatusBook;
import dev.stowage.manager.driver.Validation;
import io.fabric8.kubernetes.client.KubernetesClient;

/** Decides what is to be done about one deployment. */
final class DeploymentReconciler {

    static final String MANAGED = "Managed";
    static final String UNMANAGED = "Unmanaged";

    private final KubernetesClient client;
    private final Cache<CsiDriverDeployment> deployments;
    private final Renames renames;
    private final Management management;
    private final Removal removal;
    private final StatusBook book;
    private final Refusals refusals;

    DeploymentReconciler(
            KubernetesClient client,
            Cache<CsiDriverDeployment> deployments,
            Renames renames,
            Management management,
            Removal removal,
            StatusBook book,
            Refusals refusals) {
        this.client = client;
        this.deployments = deployments;
        this.renames = renames;
        this.management = management;
        this.removal = removal;
        this.book = book;
        this.refusals = refusals;
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
            var left = management.leave(deployment, key);
            book.write(deployment, deployment.getStatus().inState(UNMANAGED).with(left));
            return true;
        }
        var problems = Validation.problems(deployment.getMetadata().getName(), deployment.getSpec());
        if (!problems.isEmpty()) {
            refusals.invalid(deployment, problems);
            return true;
        }
        var objections = renames.objections(deployment);
        if (!objections.isEmpty()) {
            refusals.renameWaits(deployment, objections);
            return false;
        }
        return management.manage(protect(deployment), key);
    }

    /** A driver that has to stay until its volumes are detached is looked after until then: it has to detach them. */
    private boolean end(CsiDriverDeployment deployment, String key, boolean managed) {
        var used = removal.inUse(deployment);
        if (used.isEmpty() || !removal.waits(deployment)) {
            return removal.remove(deployment, key, used);
        }
        boolean told = removal.tell(deployment, used);
        if (!told
                && managed
                && removal.concernsOneDriver(deployment)
                && Validation.problems(deployment.getMetadata().getName(), deployment.getSpec())
                        .isEmpty()) {
            management.manage(deployment, key);
        }
        return false;
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
