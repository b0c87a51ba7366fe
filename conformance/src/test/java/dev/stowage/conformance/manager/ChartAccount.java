package dev.stowage.conformance.manager;

import dev.stowage.conformance.cluster.ControlPlane;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The account that the chart makes for the manager. The API server asks for every right, also for those that are passed on.
 *
 * @param clients whether the manager looks after clients
 */
record ChartAccount(ControlPlane plane, boolean clients) {

    private static final String NAMESPACE = "default";

    /** What the template lets the manager do where the release is. */
    private static final Pattern RULES_OF_THE_ROLE =
            Pattern.compile("kind: Role\n.*?\nrules:\n(.*?)\n---", Pattern.DOTALL);

    /** With the rights that the chart gives to a manager with these options. */
    static ChartAccount of(ControlPlane plane, List<String> options) {
        return new ChartAccount(plane, options.stream().anyMatch(option -> option.startsWith("--weka-config")));
    }

    private String name() {
        return clients ? "chart-manager-of-clients" : "chart-manager";
    }

    private static String read(String... path) throws IOException {
        return Files.readString(
                Path.of(System.getenv("STOWAGE_HOME"), "charts", "stowage").resolve(Path.of("", path)));
    }

    private String rules() throws IOException {
        String rules = read("files", "manager", "rules.yaml");
        return clients ? rules + read("files", "manager", "weka-rules.yaml") : rules;
    }

    /** Writes a file by which a process is this account. */
    Path kubeconfig(Path file) {
        try {
            make(plane.client());
            if (clients) {
                makeRole(plane.client());
            }
            String administrator = Files.readString(plane.kubeconfig());
            return Files.writeString(
                    file, administrator.replaceFirst("token: [^}]*", "token: " + token(plane.client())));
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private void make(KubernetesClient client) throws IOException {
        client.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withName(name())
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
                """.formatted(name(), rules());
        client.resource(client.getKubernetesSerialization().unmarshal(role, ClusterRole.class))
                .serverSideApply();
        client.resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName(name())
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", name())
                        .addNewSubject(null, "ServiceAccount", name(), NAMESPACE)
                        .build())
                .serverSideApply();
    }

    private void makeRole(KubernetesClient client) throws IOException {
        var rules = RULES_OF_THE_ROLE.matcher(read("templates", "clients.yaml"));
        if (!rules.find()) {
            throw new IllegalStateException("the chart's template for clients has no Role");
        }
        String role = """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata: {name: %s, namespace: %s}
                rules:
                %s
                """.formatted(name(), NAMESPACE, rules.group(1));
        client.resource(client.getKubernetesSerialization().unmarshal(role, Role.class))
                .serverSideApply();
        client.resource(new RoleBindingBuilder()
                        .withNewMetadata()
                        .withName(name())
                        .withNamespace(NAMESPACE)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "Role", name())
                        .addNewSubject(null, "ServiceAccount", name(), NAMESPACE)
                        .build())
                .serverSideApply();
    }

    private String token(KubernetesClient client) {
        return client.serviceAccounts()
                .inNamespace(NAMESPACE)
                .withName(name())
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(86_400L)
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
    }
}
