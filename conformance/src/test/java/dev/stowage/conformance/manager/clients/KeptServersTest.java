package dev.stowage.conformance.manager.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.manager.Lasting;
import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.weka.WekaResources;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Node servers that stay, although nobody wants them or can tell how they are to be, come back when they are deleted. */
class KeptServersTest {

    @RegisterExtension
    static final Lasting<ClientsPlane> PLANE = Lasting.forTheClass(ClientsPlane.class, ClientsPlane::withManager);

    @BeforeEach
    void keepThem() {
        PLANE.get().values().reset();
        PLANE.get().values().put("keepNodeServerUntilUnmounted", true);
    }

    private static UsedVolume use(DeployedClient client, String driver) {
        return UsedVolume.of(client, driver, client.node(1), PLANE.get().client());
    }

    private static void rename(DeployedClient client) {
        client.edit(spec -> spec.put("csiConfig", Map.of("csiDriverName", client.namespace() + ".example.com")));
        client.awaitDeployed();
        Eventually.assertThat(
                () -> assertThat(client.status().csiDriverName()).isEqualTo(client.namespace() + ".example.com"));
    }

    /** The one of the driver that a client has, or had, on its first node. */
    private static Optional<Pod> server(DeployedClient client, String driver) {
        String container = client.namespace() + "/client-" + client.node(1);
        return PLANE.get().csi(driver).nodeServers().stream()
                .filter(pod ->
                        container.equals(pod.getMetadata().getAnnotations().get(WekaResources.CONTAINER)))
                .findFirst();
    }

    private static void awaitAnother(DeployedClient client, String driver, Pod before) {
        Eventually.assertThat(() -> {
            var now = server(client, driver).orElseThrow();
            assertThat(now.getMetadata().getUid())
                    .isNotEqualTo(before.getMetadata().getUid());
            assertThat(Pods.ready(now)).isTrue();
            assertThat(Pods.image(now)).isEqualTo(Pods.image(before));
            assertThat(now.getSpec().getServiceAccountName())
                    .isEqualTo(before.getSpec().getServiceAccountName());
        });
    }

    private static void delete(Pod pod) {
        PLANE.get().client().resource(pod).delete();
    }

    @Test
    void aServerThatStaysForAVolumeComesBackWhenItIsDeletedAlsoWhileNoManagerRuns() {
        var client = DeployedClient.whole(PLANE.get(), 1);
        String driver = client.driverName();
        var used = use(client, driver);
        rename(client);
        var first = server(client, driver).orElseThrow();

        delete(first);
        awaitAnother(client, driver, first);

        var second = server(client, driver).orElseThrow();
        PLANE.get().stopManager();
        delete(second);
        Eventually.assertThat(() -> assertThat(server(client, driver)).isEmpty());
        PLANE.get().startManager();
        awaitAnother(client, driver, second);
        assertThat(client.csi().objects()).extracting(HasMetadata::getKind).contains("ServiceAccount");

        used.unmount();
        Eventually.assertThat(() -> assertThat(client.csi().traces()).isEmpty());
        Eventually.assertThat(() -> assertThat(notes(client).keySet())
                .as("what is on record of drivers")
                .noneMatch(key -> key.endsWith("/" + driver)));
    }

    private static Map<String, String> notes(DeployedClient client) {
        return Objects.requireNonNullElse(
                client.container(client.node(1)).orElseThrow().getMetadata().getAnnotations(), Map.of());
    }

    @Test
    void aServerThatStaysForAVolumeComesBackWhenItHasFailed() {
        var client = DeployedClient.whole(PLANE.get(), 1);
        String driver = client.driverName();
        var used = use(client, driver);
        rename(client);
        var before = server(client, driver).orElseThrow();

        // As a kubelet that is short of memory does it.
        PLANE.get().client().resource(before).editStatus(found -> {
            found.getStatus().setPhase("Failed");
            return found;
        });

        awaitAnother(client, driver, before);
        used.unmount();
    }

    @Test
    void whileTheValuesCannotBeReadServersComeBackAndTopologyGoesWithTheHealthOfClients() {
        var client = DeployedClient.whole(PLANE.get(), 2);
        var before = server(client, client.driverName()).orElseThrow();
        Eventually.assertThat(
                () -> assertThat(client.csi().topology(client.node(2))).isNotEmpty());

        PLANE.get().values().write("{installationEnabled: ");
        Eventually.assertThat(() -> assertThat(client.reason("CsiDeployed")).isEqualTo("InvalidConfiguration"));
        delete(before);
        String sick = client.pod(client.node(2)).get().getMetadata().getName();
        PLANE.get().kubelet().hurt(sick);

        awaitAnother(client, client.driverName(), before);
        Eventually.assertThat(
                () -> assertThat(client.csi().topology(client.node(2))).isEmpty());
        assertThat(client.csi().topology(client.node(1))).isNotEmpty();
        PLANE.get().kubelet().heal(sick);
        Eventually.assertThat(
                () -> assertThat(client.csi().topology(client.node(2))).isNotEmpty());
        assertThat(client.reason("CsiDeployed")).isEqualTo("InvalidConfiguration");
    }

    @Test
    void withoutItsClusterTheServersOfADriverComeBack() {
        var client = DeployedClient.nothing(PLANE.get(), 1);
        PLANE.get().makeCluster(client.namespace(), "prod", Map.of());
        client.apply(spec -> spec.put("targetCluster", Map.of("name", "prod"))).awaitDeployed();
        String driver = "csi.prod-%s.weka.io".formatted(client.namespace());
        Eventually.assertThat(() -> assertThat(server(client, driver))
                .hasValueSatisfying(pod -> assertThat(Pods.ready(pod)).isTrue()));
        PLANE.get()
                .client()
                .genericKubernetesResources("weka.weka.io/v1alpha1", "WekaCluster")
                .inNamespace(client.namespace())
                .withName("prod")
                .delete();
        Eventually.assertThat(() -> assertThat(client.reason("CsiDeployed")).isEqualTo("TargetClusterMissing"));

        var before = server(client, driver).orElseThrow();
        delete(before);

        awaitAnother(client, driver, before);
    }

    @Test
    void whoTurnsToAnotherClusterLosesTheNameAndKeepsTheServerUntilTheLastVolumeIsUnmounted() {
        var owner = DeployedClient.whole(PLANE.get(), 1);
        String driver = owner.driverName();
        var other = DeployedClient.nothing(PLANE.get(), 1)
                .apply(spec -> {
                    spec.put("csiGroup", owner.namespace());
                    spec.put("joinIpPorts", List.of(owner.namespace() + ".example.com:14000"));
                })
                .awaitDeployed();
        Eventually.assertThat(() -> assertThat(server(other, driver))
                .hasValueSatisfying(pod -> assertThat(Pods.ready(pod)).isTrue()));
        var used = use(other, driver);
        var before = server(other, driver).orElseThrow();

        other.edit(spec -> spec.put("joinIpPorts", List.of("elsewhere.example.com:14000")));

        other.awaitRefusal("NameTaken");
        assertThat(server(other, driver))
                .hasValueSatisfying(pod -> assertThat(pod.getMetadata().getUid())
                        .isEqualTo(before.getMetadata().getUid()));
        delete(before);
        awaitAnother(other, driver, before);

        used.unmount();
        Eventually.assertThat(() -> assertThat(server(other, driver)).isEmpty());
        assertThat(server(owner, driver)).isPresent();
    }
}
