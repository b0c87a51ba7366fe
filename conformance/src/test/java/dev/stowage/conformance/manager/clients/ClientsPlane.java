package dev.stowage.conformance.manager.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.manager.Lasting;
import dev.stowage.conformance.manager.ManagedPlane;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;

/** An API server whose manager follows clients, and all that would run their pods. */
final class ClientsPlane implements AutoCloseable {

    /** Where drivers are by default. */
    static final String CSI_NAMESPACE = "weka-operator-system";

    private final ManagedPlane managed;
    private final PlayedNodes nodes;
    private final PlayedKubelet kubelet;
    private final PlayedDeployments deployments;
    private final CsiValues values;

    private ClientsPlane(ManagedPlane managed) {
        this.managed = managed;
        nodes = new PlayedNodes(managed.client());
        kubelet = new PlayedKubelet(managed.client());
        deployments = new PlayedDeployments(managed.client());
        values = new CsiValues(managed.client());
        makeNamespace(CSI_NAMESPACE);
    }

    static ClientsPlane withoutManager() {
        return new ClientsPlane(ManagedPlane.withoutManager());
    }

    static ClientsPlane withManager() {
        var plane = withoutManager();
        plane.startManager();
        return plane;
    }

    /** For tests that leave the values as they are. */
    static Lasting<ClientsPlane> shared() {
        return Lasting.forTheRun(ClientsPlane.class, ClientsPlane::withManager);
    }

    void startManager() {
        managed.startManager(CsiValues.OPTION);
    }

    /** It ends, and nobody else has to wait for its lease. */
    void stopManager() {
        managed.stopManager();
        managed.forgetTheLeader();
    }

    ManagedPlane managed() {
        return managed;
    }

    KubernetesClient client() {
        return managed.client();
    }

    PlayedNodes nodes() {
        return nodes;
    }

    PlayedKubelet kubelet() {
        return kubelet;
    }

    CsiValues values() {
        return values;
    }

    /** The manager has asked for nothing that the chart does not let it do. */
    void assertThatItsRightsSuffice() {
        assertThat(managed.manager().figures().sum("rest_client_requests_total", "client=\"work\",code=\"403\""))
                .as("requests that were forbidden")
                .isZero();
    }

    CsiObjects csi(String driver) {
        return new CsiObjects(client(), driver);
    }

    /** With the account that a controller would make in it. */
    void makeNamespace(String name) {
        client().resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        client().resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace(name)
                        .withName("default")
                        .endMetadata()
                        .build())
                .create();
    }

    /** @param csiConfig what it says of its driver */
    void makeCluster(String namespace, String name, Map<String, Object> csiConfig) {
        client().resource(new GenericKubernetesResourceBuilder()
                        .withApiVersion("weka.weka.io/v1alpha1")
                        .withKind("WekaCluster")
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name)
                        .endMetadata()
                        .addToAdditionalProperties("spec", Map.of("csiConfig", csiConfig))
                        .build())
                .create();
    }

    @Override
    public void close() {
        try (managed;
                kubelet;
                deployments) {
            managed.stopManager();
        }
    }
}
