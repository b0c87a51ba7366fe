package dev.stowage.conformance.manager.clients;

import dev.stowage.conformance.pool.Eventually;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBindingBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;

/** An object that the API server lets nobody delete, by a policy of the cluster. */
record Undeletable(KubernetesClient client, String policy) implements AutoCloseable {

    static final String WHY = "somebody wants it to stay";

    /**
     * Until this is closed.
     *
     * @param group of the API
     * @param resources the kind, as the API calls it
     */
    static Undeletable of(
            KubernetesClient client, String group, String resources, Resource<? extends HasMetadata> object) {
        String name = object.get().getMetadata().getName();
        var undeletable = new Undeletable(client, "keep-" + name);
        client.resource(new ValidatingAdmissionPolicyBuilder()
                        .withNewMetadata()
                        .withName(undeletable.policy)
                        .endMetadata()
                        .withNewSpec()
                        .withFailurePolicy("Fail")
                        .withNewMatchConstraints()
                        .addNewResourceRule()
                        .withApiGroups(group)
                        .withApiVersions("v1")
                        .withOperations("DELETE")
                        .withResources(resources)
                        .endResourceRule()
                        .endMatchConstraints()
                        .addNewValidation()
                        .withExpression("oldObject.metadata.name != '%s'".formatted(name))
                        .withMessage(WHY)
                        .endValidation()
                        .endSpec()
                        .build())
                .create();
        client.resource(new ValidatingAdmissionPolicyBindingBuilder()
                        .withNewMetadata()
                        .withName(undeletable.policy)
                        .endMetadata()
                        .withNewSpec()
                        .withPolicyName(undeletable.policy)
                        .withValidationActions("Deny")
                        .endSpec()
                        .build())
                .create();
        Eventually.assertThat(() -> undeletable.assertThatItIsRefused(object));
        return undeletable;
    }

    /** Policies hold after a while only. */
    private void assertThatItIsRefused(Resource<? extends HasMetadata> object) {
        try {
            object.dryRun().delete();
        } catch (KubernetesClientException refused) {
            if (String.valueOf(refused.getMessage()).contains(WHY)) {
                return;
            }
            throw refused;
        }
        throw new AssertionError("it would be deleted");
    }

    @Override
    public void close() {
        var policies = client.admissionRegistration().v1();
        policies.validatingAdmissionPolicyBindings().withName(policy).delete();
        policies.validatingAdmissionPolicies().withName(policy).delete();
    }
}
