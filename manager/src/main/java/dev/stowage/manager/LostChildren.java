package dev.stowage.manager;

import dev.stowage.kube.Api;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Child;
import dev.stowage.manager.weka.WekaRole;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.List;
import java.util.Objects;

/** Objects that were made for a deployment and have lost the labels by which they are found. Its status still names them. */
final class LostChildren {

    private final KubernetesClient client;

    LostChildren(KubernetesClient client) {
        this.client = client;
    }

    /**
     * Removes them, unless somebody else may have taken them over: they have another owner, or nobody restored the labels on purpose.
     *
     * @return whether there are none
     */
    boolean remove(CsiDriverDeployment deployment) {
        if (DeploymentReconciler.UNMANAGED.equals(deployment.getSpec().managementState())) {
            return true;
        }
        boolean none = true;
        for (var child : Objects.requireNonNullElse(deployment.getStatus().children(), List.<Child>of())) {
            var resource = resource(child);
            String named = child.resource() + " " + child.name();
            var found = Api.call(named, resource::get);
            if (found != null && isNobodys(found)) {
                none = false;
                var _ = Api.attempt(
                        named,
                        () -> client.resource(found).lockResourceVersion().delete());
            }
        }
        return none;
    }

    private static boolean isNobodys(GenericKubernetesResource object) {
        return DeploymentOwnership.LABELS.owner(object).isEmpty()
                && WekaRole.LABELS.owner(object).isEmpty()
                && object.getMetadata().getOwnerReferences().isEmpty();
    }

    private Resource<GenericKubernetesResource> resource(Child child) {
        var all = client.genericKubernetesResources(new ResourceDefinitionContext.Builder()
                .withGroup(child.group())
                // All kinds that are made have it.
                .withVersion("v1")
                .withPlural(child.resource())
                .withNamespaced(child.namespace() != null)
                .build());
        return child.namespace() == null
                ? all.withName(child.name())
                : all.inNamespace(child.namespace()).withName(child.name());
    }
}
