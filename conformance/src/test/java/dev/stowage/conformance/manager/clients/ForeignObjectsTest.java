package dev.stowage.conformance.manager.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.manager.Lasting;
import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Condition;
import dev.stowage.kube.weka.WekaResources;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.storage.CSIDriver;
import io.fabric8.kubernetes.api.model.storage.CSIDriverBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What somebody else has made is his, also if it is just what it would be. */
class ForeignObjectsTest {

    private static final String NAME = "neighbour";

    private static final String DEPLOYMENT = """
            apiVersion: csidriver.storage.openshift.io/v1alpha1
            kind: CSIDriverDeployment
            metadata: {name: neighbour, namespace: %1$s}
            spec:
              driverName: %2$s
              driverSocket: /run/csi/csi.sock
              adoption: Consent
              driverPerNodeTemplate:
                spec:
                  containers:
                  - {name: csi-driver, image: "driver:1", securityContext: {privileged: true}}
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

    /** A CSIDriverDeployment of the same driver name as the client's, in its namespace. */
    private static void deployNeighbour(DeployedClient client) {
        client().resource(client().getKubernetesSerialization()
                        .unmarshal(
                                DEPLOYMENT.formatted(client.namespace(), client.driverName()),
                                GenericKubernetesResource.class))
                .create();
    }

    private static Condition synced(DeployedClient client) {
        var status = client().resources(CsiDriverDeployment.class)
                .inNamespace(client.namespace())
                .withName(NAME)
                .get()
                .getStatus();
        return Objects.requireNonNullElse(status.conditions(), List.<Condition>of()).stream()
                .filter(condition -> condition.type().equals("SyncSuccessful"))
                .findFirst()
                .orElseThrow();
    }

    private static CSIDriver now(DeployedClient client) {
        return client.csi().driverObject().get();
    }

    @Test
    void whatIsJustWhatItWouldBeIsLeftAloneUnlessTakingItOverIsAskedFor() {
        var model = DeployedClient.whole(PLANE.get(), 1);
        deployed.add(model);
        var client = DeployedClient.nothing(PLANE.get(), 1);
        deployed.add(client);
        var before = client().resource(new CSIDriverBuilder()
                        .withNewMetadata()
                        .withName(client.driverName())
                        .addToLabels("app.kubernetes.io/managed-by", "Helm")
                        .endMetadata()
                        .withSpec(now(model).getSpec())
                        .build())
                .create();

        client.apply(spec -> {}).awaitRefusal("NotOurs");

        assertThat(client.message("CsiDeployed")).contains("CSIDriver " + client.driverName(), "csi.adopt");
        assertThat(client.csi().controller().get()).isNull();
        values().put("installationEnabled", false);
        client.awaitRefusal("Disabled");
        Eventually.assertThat(() -> assertThat(model.csi().traces()).isEmpty());
        assertThat(now(client)).isEqualTo(before);

        values().put("installationEnabled", true).put("adopt", true);
        client.awaitWhole();
        assertThat(now(client).getMetadata().getUid())
                .isEqualTo(before.getMetadata().getUid());
        assertThat(now(client).getMetadata().getLabels()).containsEntry(WekaResources.DRIVER, client.driverName());
    }

    @Test
    void whatBelongsToADeploymentIsNeverTaken() {
        values().put("adopt", true);
        var client = DeployedClient.nothing(PLANE.get(), 1);
        deployed.add(client);
        deployNeighbour(client);
        Eventually.assertThat(() -> assertThat(synced(client).status()).isEqualTo("True"));
        var before = now(client);

        client.apply(spec -> {}).awaitRefusal("NotOurs");

        assertThat(client.message("CsiDeployed"))
                .contains("belongs to CSIDriverDeployment %s/%s".formatted(client.namespace(), NAME));
        assertThat(now(client)).isEqualTo(before);
        assertThat(synced(client).status()).isEqualTo("True");
    }

    @Test
    void whatBelongsToTheDriverOfAClientIsNeverTaken() {
        var client = DeployedClient.whole(PLANE.get(), 1);
        deployed.add(client);
        var before = now(client);

        deployNeighbour(client);

        Eventually.assertThat(() -> {
            assertThat(synced(client).reason()).isEqualTo("NotOurs");
            assertThat(synced(client).message()).contains("belongs to the driver " + client.driverName());
        });
        assertThat(now(client)).isEqualTo(before);
        client.awaitWhole();
    }
}
