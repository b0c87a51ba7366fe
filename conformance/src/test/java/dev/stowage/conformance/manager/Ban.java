package dev.stowage.conformance.manager;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.conformance.pool.Eventually;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** What somebody does not allow in a cluster, by a policy of his, until this is closed. */
final class Ban implements AutoCloseable {

    private static final String POLICY = """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicy
            metadata: {name: %1$s}
            spec:
              failurePolicy: Fail
              matchConstraints:
                resourceRules:
                - {apiGroups: ["*"], apiVersions: ["*"], operations: [%2$s], resources: [%3$s]}
              matchConditions:
              - {name: one, expression: "request.name == '%4$s' && request.?namespace.orValue('') == '%5$s'"}
              validations:
              - {expression: "false", message: nobody may, reason: Forbidden}
            ---
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicyBinding
            metadata: {name: %1$s}
            spec: {policyName: %1$s, validationActions: [Deny]}
            """;

    private final KubernetesClient client;
    private final List<HasMetadata> objects;

    /**
     * Forbids it.
     *
     * @param operation CREATE, UPDATE or DELETE
     */
    Ban(KubernetesClient client, String operation, HasMetadata object) {
        this.client = client;
        var metadata = object.getMetadata();
        String namespace = metadata.getNamespace() == null ? "" : metadata.getNamespace();
        String policy = POLICY.formatted(
                "ban-%s-%s-%s"
                        .formatted(operation, namespace, metadata.getName())
                        .toLowerCase(Locale.ROOT),
                operation,
                object.getPlural(),
                metadata.getName(),
                namespace);
        objects = client.load(new ByteArrayInputStream(policy.getBytes(StandardCharsets.UTF_8)))
                .create();
    }

    /**
     * The API server takes a moment to know of it.
     *
     * @param forbidden which changes nothing if it is allowed
     */
    Ban await(Consumer<KubernetesClient> forbidden) {
        Eventually.assertThat(
                () -> assertThatThrownBy(() -> forbidden.accept(client)).hasMessageContaining("nobody may"));
        return this;
    }

    @Override
    public void close() {
        objects.forEach(object -> client.resource(object).delete());
    }
}
