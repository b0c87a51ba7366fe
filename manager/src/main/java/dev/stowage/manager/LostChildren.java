package dev.stowage.manager;

import dev.stowage.core.error.StowageException;
import dev.stowage.kube.Api;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Child;
import dev.stowage.manager.apply.Adoption;
import dev.stowage.manager.weka.WekaRole;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Objects that were made for a deployment and have lost the labels by which they are found. Its status still names them. */
final class LostChildren {

    private final KubernetesClient client;

    LostChildren(KubernetesClient client) {
        this.client = client;
    }

    /** Removes them, unless somebody else may have taken them over: they have another owner, or nobody restored the labels on purpose. */
    Remains remove(CsiDriverDeployment deployment) {
        if (DeploymentReconciler.UNMANAGED.equals(deployment.getSpec().managementState())) {
            return new Remains(true, List.of());
        }
        boolean none = true;
        var inTheWay = new ArrayList<String>();
        for (var child : Objects.requireNonNullElse(deployment.getStatus().children(), List.<Child>of())) {
            try {
                var found = find(child).filter(LostChildren::isNobodys);
                none &= found.isEmpty();
                found.ifPresent(object -> remove(object, inTheWay));
            } catch (StowageException failed) {
                none = false;
                inTheWay.add(failed.getMessage());
            }
        }
        return new Remains(none, inTheWay);
    }

    private void remove(GenericKubernetesResource object, List<String> inTheWay) {
        if (object.getMetadata().getDeletionTimestamp() == null) {
            var _ = Api.attempt(
                    Adoption.named(object),
                    () -> client.resource(object).lockResourceVersion().delete());
        }
        Remains.held(object).forEach(inTheWay::add);
    }

    private Optional<GenericKubernetesResource> find(Child child) {
        return Optional.ofNullable(Api.call(child.resource() + " " + child.name(), resource(child)::get));
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
