package dev.stowage.conformance.manager.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.conformance.manager.Lasting;
import dev.stowage.conformance.pool.Eventually;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A driver that is deployed is to be in another namespace. Nothing of it ends before it can be there. */
class OtherNamespaceTest {

    /** Nobody can have an account in it. */
    private static final String CLOSED = """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicy
            metadata: {name: %1$s}
            spec:
              failurePolicy: Fail
              matchConstraints:
                resourceRules:
                - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [serviceaccounts]}
              validations:
              - {expression: "object.metadata.namespace != '%1$s'", message: "no accounts in %1$s"}
            ---
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicyBinding
            metadata: {name: %1$s}
            spec: {policyName: %1$s, validationActions: [Deny]}
            """;

    @RegisterExtension
    static final Lasting<ClientsPlane> PLANE = Lasting.forTheClass(ClientsPlane.class, ClientsPlane::withManager);

    private final List<DeployedClient> deployed = new ArrayList<>();

    @BeforeEach
    void reset() {
        values().reset();
    }

    @AfterEach
    void removeClients() {
        values().reset();
        deployed.forEach(DeployedClient::delete);
    }

    private static KubernetesClient client() {
        return PLANE.get().client();
    }

    private static CsiValues values() {
        return PLANE.get().values();
    }

    private static void awaitFailure(DeployedClient client, String... parts) {
        Eventually.assertThat(() -> {
            assertThat(client.condition("CsiDeployed")).isEqualTo("False");
            assertThat(client.reason("CsiDeployed")).isEqualTo("Failed");
            assertThat(client.message("CsiDeployed")).contains(parts);
        });
        assertThat(client.status().csiDeployed()).as("what was deployed").isTrue();
    }

    private static List<String> in(String namespace, List<HasMetadata> objects) {
        return objects.stream()
                .filter(object -> namespace.equals(object.getMetadata().getNamespace()))
                .map(object -> object.getKind() + " " + object.getMetadata().getName())
                .toList();
    }

    /** Everything that has a namespace is in this one, and the node servers are ready there. */
    private static void awaitWhole(CsiObjects csi, String namespace, int nodes) {
        Eventually.assertThat(() -> {
            assertThat(csi.nodeServers(namespace)).hasSize(nodes).allMatch(Pods::ready);
            assertThat(csi.nodeServers()).isEmpty();
            assertThat(in(ClientsPlane.CSI_NAMESPACE, csi.objects())).isEmpty();
            assertThat(in(namespace, csi.objects()))
                    .extracting(object -> object.replaceFirst(" .*", ""))
                    .contains("ServiceAccount", "Deployment");
            assertThat(csi.objects())
                    .filteredOn(ClusterRoleBinding.class::isInstance)
                    .isNotEmpty()
                    .allSatisfy(object -> assertThat(((ClusterRoleBinding) object).getSubjects())
                            .allSatisfy(subject ->
                                    assertThat(subject.getNamespace()).isEqualTo(namespace)));
        });
    }

    @Test
    void oneThatIsMissingTakesNothingAwayAndIsMovedToWhenItComes() {
        var client = DeployedClient.nothing(PLANE.get(), 2);
        deployed.add(client);
        PLANE.get().makeCluster(client.namespace(), "prod", Map.of());
        // Classes name a Secret in the namespace of drivers then.
        client.apply(spec -> spec.put("targetCluster", Map.of("name", "prod", "namespace", client.namespace())))
                .awaitDeployed();
        var csi = PLANE.get().csi("csi.prod-%s.weka.io".formatted(client.namespace()));
        Eventually.assertThat(() -> assertThat(csi.nodeServers()).hasSize(2).allMatch(Pods::ready));
        var objects = CsiObjects.versions(csi.objects());
        var server = client.nodeServer(client.node(1));
        var before = server.get();
        var other = client.nodeServer(client.node(2)).get();

        values().put("namespace", "not-there");
        awaitFailure(client, "not-there");
        // What is deleted meanwhile comes back as it was.
        server.delete();
        Eventually.assertThat(() -> {
            assertThat(server.get()).isNotNull().matches(Pods::ready);
            assertThat(server.get().getMetadata().getUid())
                    .isNotEqualTo(before.getMetadata().getUid());
            assertThat(server.get().getMetadata().getAnnotations())
                    .isEqualTo(before.getMetadata().getAnnotations());
        });

        assertThat(CsiObjects.versions(csi.objects())).isEqualTo(objects);
        assertThat(client.nodeServer(client.node(2)).get().getMetadata().getUid())
                .isEqualTo(other.getMetadata().getUid());

        PLANE.get().makeNamespace("not-there");
        awaitWhole(csi, "not-there", 2);
        client.awaitDeployed();
        assertThat(csi.storageClass().get().getParameters()).containsValue("not-there");
    }

    @Test
    void oneThatIsThereIsMovedTo() {
        var client = DeployedClient.whole(PLANE.get(), 3);
        deployed.add(client);
        var clients = CsiObjects.versions(client.clientPods());
        var classes = CsiObjects.versions(List.of(
                client.csi().driverObject().get(),
                client.csi().storageClass().get(),
                client.csi().direct().get()));
        PLANE.get().makeNamespace("elsewhere");

        values().put("namespace", "elsewhere");

        awaitWhole(client.csi(), "elsewhere", 3);
        client.awaitDeployed();
        assertThat(CsiObjects.versions(client.clientPods())).isEqualTo(clients);
        assertThat(CsiObjects.versions(List.of(
                        client.csi().driverObject().get(),
                        client.csi().storageClass().get(),
                        client.csi().direct().get())))
                .isEqualTo(classes);
    }

    @Test
    void whereSomethingCannotBeMadeWhatItTakesThePlaceOfStays() {
        var client = DeployedClient.whole(PLANE.get(), 2);
        deployed.add(client);
        var before = in(ClientsPlane.CSI_NAMESPACE, client.csi().objects());
        var servers = CsiObjects.versions(client.csi().nodeServers());
        PLANE.get().makeNamespace("closed");
        close("closed");

        values().put("namespace", "closed");

        awaitFailure(client, "no accounts in closed");
        assertThat(in(ClientsPlane.CSI_NAMESPACE, client.csi().objects())).isEqualTo(before);
        assertThat(CsiObjects.versions(client.csi().nodeServers()))
                .as("no pod can come where its account is not")
                .isEqualTo(servers);

        client().load(manifest("closed")).delete();
        awaitWhole(client.csi(), "closed", 2);
    }

    private static ByteArrayInputStream manifest(String namespace) {
        return new ByteArrayInputStream(CLOSED.formatted(namespace).getBytes(StandardCharsets.UTF_8));
    }

    /** It takes a while until the API server keeps to it. */
    private static void close(String namespace) {
        client().load(manifest(namespace)).serverSideApply();
        var account = new ServiceAccountBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("somebody")
                .endMetadata()
                .build();
        Eventually.assertThat(() -> assertThatThrownBy(
                        () -> client().resource(account).dryRun().create())
                .isInstanceOf(KubernetesClientException.class));
    }
}
