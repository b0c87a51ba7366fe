package dev.stowage.manager;

import dev.stowage.kube.Api;
import dev.stowage.kube.Cache;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.manager.apply.Adoption;
import dev.stowage.manager.apply.StatusBook;
import dev.stowage.manager.driver.NotUnderstood;
import dev.stowage.manager.driver.Validation;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides what is to be done about one deployment. */
final class DeploymentReconciler {

    private static final Logger LOG = LoggerFactory.getLogger(DeploymentReconciler.class);
    static final String MANAGED = "Managed";
    static final String UNMANAGED = "Unmanaged";

    private final KubernetesClient client;
    private final Cache<CsiDriverDeployment> deployments;
    private final Renames renames;
    private final Management management;
    private final Removal removal;
    private final StatusBook book;
    private final Refusals refusals;
    private final Standing standing;

    DeploymentReconciler(
            KubernetesClient client,
            Cache<CsiDriverDeployment> deployments,
            Renames renames,
            Management management,
            Removal removal,
            StatusBook book,
            Refusals refusals,
            Standing standing) {
        this.client = client;
        this.deployments = deployments;
        this.renames = renames;
        this.management = management;
        this.removal = removal;
        this.book = book;
        this.refusals = refusals;
        this.standing = standing;
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
            book.write(
                    deployment, standing.of(deployment, left).inState(UNMANAGED).with(left));
            return true;
        }
        var problems = problems(deployment, key);
        if (!problems.isEmpty()) {
            refusals.invalid(deployment, problems);
            return true;
        }
        var objections = renames.objections(deployment);
        if (!objections.isEmpty()) {
            refusals.renameWaits(deployment, objections);
            return false;
        }
        return manage(protect(deployment), key);
    }

    private static List<String> problems(CsiDriverDeployment deployment, String key) {
        try {
            return Validation.problems(deployment.getMetadata().getName(), deployment.getSpec());
        } catch (NotUnderstood why) {
            LOG.error("{}: is not understood", key, why);
            return List.of(String.valueOf(why.getMessage()));
        }
    }

    private boolean manage(CsiDriverDeployment deployment, String key) {
        try {
            return management.manage(deployment, key);
        } catch (NotUnderstood why) {
            LOG.error("{}: is not understood", key, why);
            refusals.invalid(deployment, List.of(String.valueOf(why.getMessage())));
            return true;
        }
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
                && problems(deployment, key).isEmpty()) {
            manage(deployment, key);
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
