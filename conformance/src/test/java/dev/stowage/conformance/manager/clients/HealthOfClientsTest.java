package dev.stowage.conformance.manager.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.manager.Figures;
import dev.stowage.conformance.manager.Lasting;
import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.weka.WekaClient;
import dev.stowage.kube.weka.WekaContainer;
import dev.stowage.kube.weka.WekaResources;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How clients are is told, and decides whether new pods come to their nodes. */
class HealthOfClientsTest {

    @RegisterExtension
    static final Lasting<ClientsPlane> PLANE = ClientsPlane.shared();

    private static PlayedKubelet kubelet() {
        return PLANE.get().kubelet();
    }

    private static WekaContainer container(DeployedClient deployed, int node) {
        return deployed.container(deployed.node(node)).orElseThrow();
    }

    private static String podName(DeployedClient deployed, int node) {
        return deployed.pod(deployed.node(node)).get().getMetadata().getName();
    }

    private static Map<String, String> wholeTopology(String node) {
        return Map.of("node", node, "transport", "wekafs", "accessible", "true");
    }

    @Test
    void topologyIsOnANodeOnlyWhileItsClientRuns() {
        var deployed = DeployedClient.whole(PLANE.get(), 2);
        String node = deployed.node(1);
        Eventually.assertThat(() -> {
            assertThat(deployed.csi().topology(node)).isEqualTo(wholeTopology(node));
            assertThat(deployed.csi().topology(deployed.node(2))).isEqualTo(wholeTopology(deployed.node(2)));
        });

        kubelet().hurt(podName(deployed, 1));
        Eventually.assertThat(() -> assertThat(deployed.csi().topology(node)).isEmpty());
        assertThat(deployed.csi().topology(deployed.node(2))).isEqualTo(wholeTopology(deployed.node(2)));
        kubelet().heal(podName(deployed, 1));
        Eventually.assertThat(() -> assertThat(deployed.csi().topology(node)).isEqualTo(wholeTopology(node)));

        PLANE.get().nodes().failing(node);
        Eventually.assertThat(() -> assertThat(deployed.csi().topology(node)).isEmpty());
        PLANE.get().nodes().recovered(node);
        Eventually.assertThat(() -> assertThat(deployed.csi().topology(node)).isEqualTo(wholeTopology(node)));

        PLANE.get().nodes().label(node, DeployedClient.POOL, null);
        Eventually.assertThat(() -> assertThat(deployed.csi().topology(node)).isEmpty());
    }

    @Test
    void topologyThatSomebodyTakesAwayComesBackAndLabelsOfOthersStay() {
        var deployed = DeployedClient.whole(PLANE.get(), 1);
        String node = deployed.node(1);
        Eventually.assertThat(() -> assertThat(deployed.csi().topology(node)).isEqualTo(wholeTopology(node)));
        PLANE.get().nodes().label(node, "topology.theirs.example.com/node", node);

        PLANE.get().nodes().label(node, "topology." + deployed.driverName() + "/accessible", null);

        Eventually.assertThat(() -> assertThat(deployed.csi().topology(node)).isEqualTo(wholeTopology(node)));
        deployed.delete();
        assertThat(deployed.csi().topology(node)).isEmpty();
        assertThat(PLANE.get().nodes().labels(node))
                .containsEntry("topology.theirs.example.com/node", node)
                .containsEntry(DeployedClient.POOL, deployed.namespace());
    }

    @Test
    void whatIsNotedOfTopologyComesBackWhenSomebodyTakesItAway() {
        var deployed = DeployedClient.whole(PLANE.get(), 1);
        String node = deployed.node(1);
        Eventually.assertThat(() -> assertThat(deployed.csi().topology(node)).isEqualTo(wholeTopology(node)));

        PLANE.get().nodes().forgetNotes(node);

        Eventually.assertThat(() -> assertThat(PLANE.get().nodes().notes(node))
                .containsEntry(WekaResources.TOPOLOGY, deployed.driverName()));
        deployed.delete();
        assertThat(deployed.csi().topology(node)).isEmpty();
    }

    @Test
    void theStatusCountsContainersAndTellsWhichAreNotWell() {
        var deployed = DeployedClient.whole(PLANE.get(), 3);
        assertThatItCounts(deployed, new WekaClient.Containers(3, 3, 3));
        Eventually.assertThat(
                () -> assertThat(deployed.condition("ContainersReady")).isEqualTo("True"));

        kubelet().hurt(podName(deployed, 2));

        assertThatItCounts(deployed, new WekaClient.Containers(2, 3, 3));
        Eventually.assertThat(() -> {
            assertThat(container(deployed, 2).getStatus().status()).isIn("PodNotRunning", "Unhealthy");
            assertThat(DeployedClient.condition(container(deployed, 2), "Running"))
                    .isEqualTo("False");
            assertThat(deployed.condition("ContainersReady")).isEqualTo("False");
            assertThat(deployed.message("ContainersReady"))
                    .contains("2/3", deployed.node(2))
                    .doesNotContain(deployed.node(1), deployed.node(3));
        });
        kubelet().heal(podName(deployed, 2));
        deployed.awaitWhole();
        assertThatItCounts(deployed, new WekaClient.Containers(3, 3, 3));
    }

    private static void assertThatItCounts(DeployedClient deployed, WekaClient.Containers wanted) {
        Eventually.assertThat(() -> {
            assertThat(Objects.requireNonNull(deployed.status().stats()).containers())
                    .isEqualTo(wanted);
            assertThat(Objects.requireNonNull(deployed.status().printer()).containers())
                    .isEqualTo(wanted.active() + "/" + wanted.desired());
        });
    }

    @Test
    void theFiguresTellWhatTheStatusTellsAndNothingOfClientsThatAreGone() {
        var deployed = DeployedClient.whole(PLANE.get(), 2);
        String whose = "{namespace=\"%s\",name=\"%s\"".formatted(deployed.namespace(), DeployedClient.NAME);
        kubelet().hurt(podName(deployed, 2));

        Eventually.assertThat(() -> {
            var told = figures();
            assertThat(told.of("stowage_manager_client_info%s,driver=\"%s\"}".formatted(whose, deployed.driverName())))
                    .isEqualTo(1);
            assertThat(told.of("stowage_manager_client_driver_deployed" + whose + "}"))
                    .isEqualTo(1);
            assertThat(told.of("stowage_manager_client_containers_wanted" + whose + "}"))
                    .isEqualTo(2);
            assertThat(told.of("stowage_manager_client_containers_running" + whose + "}"))
                    .isEqualTo(1);
            assertThat(told.of("stowage_manager_client_condition" + whose
                            + ",condition=\"ContainersReady\",status=\"false\"}"))
                    .isEqualTo(1);
            assertThat(told.sum("stowage_manager_clients", "status")).isPositive();
            assertThat(told.sum("stowage_manager_reconciles_total", "name=\"wekaclients\""))
                    .isPositive();
        });
        kubelet().heal(podName(deployed, 2));
        deployed.awaitWhole().delete();

        Eventually.assertThat(() -> assertThat(figures().series().keySet())
                .noneMatch(series -> series.contains("namespace=\"" + deployed.namespace() + "\"")));
    }

    private static Figures figures() {
        return PLANE.get().managed().manager().figures();
    }

    @Test
    void aContainerTellsThatItsPodEnds() {
        var deployed = DeployedClient.whole(PLANE.get(), 1);
        String name = podName(deployed, 1);
        kubelet().delay(name);

        deployed.pod(deployed.node(1)).delete();

        Eventually.assertThat(
                () -> assertThat(container(deployed, 1).getStatus().status()).isEqualTo("PodTerminating"));
        kubelet().hurry(name);
        deployed.awaitWhole();
    }

    @Test
    void aContainerTellsThatItsNodeServerIsNotReady() {
        var deployed = DeployedClient.whole(PLANE.get(), 1);
        String server =
                deployed.nodeServer(deployed.node(1)).get().getMetadata().getName();

        kubelet().hurt(server);

        Eventually.assertThat(() -> {
            assertThat(DeployedClient.condition(container(deployed, 1), "CsiNodeServer"))
                    .isEqualTo("False");
            assertThat(DeployedClient.reason(container(deployed, 1), "CsiNodeServer"))
                    .isEqualTo("NotReady");
            assertThat(DeployedClient.message(container(deployed, 1), "CsiNodeServer"))
                    .contains("wekafs: not ready");
        });
        assertThat(container(deployed, 1).getStatus().status()).isEqualTo("Running");
        kubelet().heal(server);
        deployed.awaitWhole();
    }

    @Test
    void aClientThatIsBeingDeletedSaysSoAndStaysUntilItsPodsAreGone() {
        var deployed = DeployedClient.whole(PLANE.get(), 1);
        String name = podName(deployed, 1);
        kubelet().delay(name);

        deployed.resource().delete();

        Eventually.assertThat(() -> assertThat(deployed.status().status()).isEqualTo("Destroying"));
        assertThat(deployed.pod(deployed.node(1)).get()).isNotNull();
        kubelet().hurry(name);
        Eventually.assertThat(() -> assertThat(deployed.resource().get()).isNull());
        assertThat(deployed.containers()).isEmpty();
        assertThat(deployed.clientPods()).isEmpty();
        assertThat(deployed.csi().traces()).isEmpty();
    }

    @Test
    void theDriverOfAClientThatIsBeingDeletedStaysUntilItsPodsHaveEnded() {
        var deployed = DeployedClient.whole(PLANE.get(), 1);
        String name = podName(deployed, 1);
        kubelet().delay(name);

        deployed.resource().delete();

        Eventually.assertThat(() -> {
            assertThat(deployed.containers()).isEmpty();
            assertThat(deployed.csi().nodeServers()).isEmpty();
            assertThat(deployed.status().status()).isEqualTo("Destroying");
            assertThat(deployed.reason("CsiDeployed")).isEqualTo("ClientDeleted");
            assertThat(deployed.message("CsiDeployed")).contains(name);
        });
        assertThat(deployed.csi().driverObject().get()).isNotNull();
        assertThat(deployed.csi().controller().get()).isNotNull();

        kubelet().hurry(name);
        Eventually.assertThat(() -> assertThat(deployed.resource().get()).isNull());
        assertThat(deployed.csi().traces()).isEmpty();
    }

    @Test
    void aPodOnANodeThatDoesNotAnswerKeepsNoClientFromGoing() {
        var deployed = DeployedClient.whole(PLANE.get(), 1);
        String name = podName(deployed, 1);
        kubelet().delay(name);
        deployed.pod(deployed.node(1)).withGracePeriod(1).delete();

        deployed.delete();

        assertThat(deployed.csi().traces()).isEmpty();
        assertThat(deployed.clientPods()).hasSize(1);
        kubelet().hurry(name);
    }
}
