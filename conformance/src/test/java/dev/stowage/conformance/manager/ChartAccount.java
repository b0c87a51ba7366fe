package dev.stowage.conformance.manager;

import dev.stowage.conformance.cluster.ControlPlane;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The account that the chart makes for the manager. The API server asks for every right, also for those that are passed on. */
record ChartAccount(ControlPlane plane) {

    private static final String NAME = "chart-manager";
    private static final String NAMESPACE = "default";

    private static Path rules() {
        return Path.of(System.getenv("STOWAGE_HOME"), "charts", "stowage", "files", "manager", "rules.yaml");
    }

    /** Writes a file by which a process is this account. */
    Path kubeconfig(Path file) {
        try {
            make(plane.client());
            String administrator = Files.readString(plane.kubeconfig());
            return Files.writeString(
                    file, administrator.replaceFirst("token: [^}]*", "token: " + token(plane.client())));
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static void make(KubernetesClient client) throws IOException {
        client.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withName(NAME)
                        .withNamespace(NAMESPACE)
                        .endMetadata()
                        .build())
                .serverSideApply();
        String role = """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata: {name: %s}
                rules:
                %s
                """.formatted(NAME, Files.readString(rules()));
        client.resource(client.getKubernetesSerialization().unmarshal(role, ClusterRole.class))
                .serverSideApply();
        client.resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName(NAME)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", NAME)
                        .addNewSubject(null, "ServiceAccount", NAME, NAMESPACE)
                        .build())
                .serverSideApply();
    }

    private static String token(KubernetesClient client) {
        return client.serviceAccounts()
                .inNamespace(NAMESPACE)
                .withName(NAME)
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(86_400L)
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
    }
}
