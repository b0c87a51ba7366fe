package dev.stowage.conformance.manager.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.manager.Lasting;
import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.kube.weka.WekaClient;
import dev.stowage.kube.weka.WekaContainer;
import dev.stowage.kube.weka.WekaResources;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients are on the nodes that they select, and nowhere else. */
class FollowingNodesTest {

    @RegisterExtension
    static final Lasting<ClientsPlane> PLANE = ClientsPlane.shared();

    private static PlayedNodes nodes() {
        return PLANE.get().nodes();
    }

    /** Another client is made whole meanwhile, so the manager had the time. */
    private static void giveTheManagerTime() {
        DeployedClient.whole(PLANE.get(), 1);
    }

    private static void assertThatOnlyTheFirstNodeHasAClient(DeployedClient deployed) {
        Eventually.assertThat(() -> {
            assertThat(deployed.container(deployed.node(2))).isEmpty();
            assertThat(deployed.pod(deployed.node(2)).get()).isNull();
            assertThat(deployed.nodeServer(deployed.node(2)).get()).isNull();
            var stats = Objects.requireNonNull(deployed.status().stats()).containers();
            assertThat(stats.desired()).isEqualTo(1);
        });
        assertThat(deployed.container(deployed.node(1))).isPresent();
        assertThat(Pods.ready(deployed.pod(deployed.node(1)).get())).isTrue();
        assertThat(Pods.ready(deployed.nodeServer(deployed.node(1)).get())).isTrue();
    }

    @Test
    void eachSelectedNodeHasAContainerAndItsPod() {
        nodes().make("not-selected", Map.of(DeployedClient.POOL, "of-nobody"));
        var deployed = DeployedClient.nothing(PLANE.get(), 2)
                .apply(spec -> {
                    spec.put("rawTolerations", List.of(Map.of("key", "storage", "operator", "Equal", "value", "yes")));
                    spec.put("readinessProbe", Map.of("tcpSocket", Map.of("port", 14500)));
                })
                .awaitWhole();

        String node = deployed.node(2);
        assertThat(deployed.container("not-selected")).isEmpty();
        var container = deployed.container(node).orElseThrow();
        assertThat(container.getMetadata().getName()).isEqualTo("client-" + node);
        assertThat(container.getMetadata().getOwnerReferences())
                .singleElement()
                .satisfies(owner -> assertThat(owner.getUid())
                        .isEqualTo(deployed.resource().get().getMetadata().getUid()));
        assertThat(container.getSpec().mode()).isEqualTo(WekaResources.MODE_CLIENT);
        assertThat(container.getSpec().image()).isEqualTo("client:1");

        var pod = deployed.pod(node).get();
        assertThat(Pods.image(pod)).isEqualTo("client:1");
        assertThat(Pods.node(pod)).isEqualTo(node);
        assertThat(pod.getSpec().getNodeName()).isEqualTo(node);
        assertThat(pod.getSpec().getTolerations())
                .contains(new TolerationBuilder()
                        .withKey("storage")
                        .withOperator("Equal")
                        .withValue("yes")
                        .build());
        assertThat(pod.getMetadata().getLabels())
                .containsEntry(WekaResources.MODE, WekaResources.MODE_CLIENT)
                .containsEntry(WekaResources.CLIENT, DeployedClient.NAME);
        assertThat(pod.getMetadata().getAnnotations())
                .containsEntry(WekaResources.CONTAINER, deployed.namespace() + "/client-" + node)
                .containsKey(WekaResources.CLIENT_HASH);
        var main = pod.getSpec().getContainers().getFirst();
        assertThat(main.getReadinessProbe().getTcpSocket().getPort().getIntVal())
                .isEqualTo(14500);
        assertThat(main.getPorts()).extracting(ContainerPort::getContainerPort).contains(14000, 14500);
        assertThat(main.getEnv())
                .contains(
                        new EnvVar("PORT", "14000", null),
                        new EnvVar("AGENT_PORT", "14500", null),
                        new EnvVar("JOIN_IP_PORTS", deployed.namespace() + ".example.com:14000", null))
                .extracting(EnvVar::getName)
                .contains("NAME");
    }

    @Test
    void aClientMayHaveTheLongestNameAndOneThatMakesTheNamesOfAnothersContainers() {
        String pool = DeployedClient.nothing(PLANE.get(), 0).namespace();
        var names = List.of("c" + "l".repeat(200), "two", "two-" + pool);
        nodes().make(pool + "-n", Map.of(DeployedClient.POOL, pool));
        nodes().make("n", Map.of(DeployedClient.POOL, pool));
        for (String name : names) {
            PLANE.get()
                    .client()
                    .resource(new GenericKubernetesResourceBuilder()
                            .withApiVersion("weka.weka.io/v1alpha1")
                            .withKind("WekaClient")
                            .withNewMetadata()
                            .withNamespace(pool)
                            .withName(name)
                            .endMetadata()
                            .addToAdditionalProperties(
                                    "spec",
                                    Map.of(
                                            "image",
                                            "client:1",
                                            "joinIpPorts",
                                            List.of(pool + ".example.com:14000"),
                                            "csiGroup",
                                            pool,
                                            "nodeSelector",
                                            Map.of(DeployedClient.POOL, pool)))
                            .build())
                    .create();
        }
        Eventually.assertThat(() -> assertThat(names)
                .allSatisfy(name -> assertThat(PLANE.get()
                                .client()
                                .resources(WekaClient.class)
                                .inNamespace(pool)
                                .withName(name)
                                .get()
                                .getStatus()
                                .status())
                        .as(name)
                        .isEqualTo("Running")));
        assertThat(PLANE.get()
                        .client()
                        .resources(WekaContainer.class)
                        .inNamespace(pool)
                        .list()
                        .getItems())
                .hasSize(6);
    }

    @Test
    void aNodeThatIsNoLongerSelectedLosesItsClient() {
        var deployed = DeployedClient.whole(PLANE.get(), 2);

        nodes().label(deployed.node(2), DeployedClient.POOL, null);

        assertThatOnlyTheFirstNodeHasAClient(deployed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"NoSchedule", "NoExecute"})
    void aNodeThatIsTaintedLosesItsClientUntilTheTaintGoes(String effect) {
        var deployed = DeployedClient.whole(PLANE.get(), 2);

        nodes().taint(deployed.node(2), PlayedNodes.of("of-somebody", effect));
        assertThatOnlyTheFirstNodeHasAClient(deployed);

        nodes().taint(deployed.node(2));
        deployed.awaitWhole();
    }

    @Test
    void aTaintThatIsToleratedOrOnlyPreferredChangesNothing() {
        var deployed = DeployedClient.nothing(PLANE.get(), 3)
                .apply(spec -> {
                    spec.put("tolerations", List.of("by-key"));
                    spec.put(
                            "rawTolerations",
                            List.of(Map.of(
                                    "key", "whole", "operator", "Equal", "value", "yes", "effect", "NoExecute")));
                })
                .awaitWhole();
        var before = CsiObjects.versions(deployed.containers());

        nodes().taint(deployed.node(1), PlayedNodes.of("by-key", "NoSchedule"), PlayedNodes.of("by-key", "NoExecute"));
        nodes().taint(deployed.node(2), PlayedNodes.of("whole", "NoExecute"));
        nodes().taint(deployed.node(3), PlayedNodes.of("of-somebody", "PreferNoSchedule"));
        giveTheManagerTime();

        assertThat(CsiObjects.versions(deployed.containers())).isEqualTo(before);
        // What is deleted comes back to where the taint is.
        deployed.pod(deployed.node(1)).delete();
        deployed.awaitWhole();

        nodes().taint(deployed.node(2), PlayedNodes.of("whole", "NoSchedule"));
        Eventually.assertThat(
                () -> assertThat(deployed.container(deployed.node(2))).isEmpty());
    }

    @Test
    void aNodeThatIsDeletedTakesItsClientWithIt() {
        var deployed = DeployedClient.whole(PLANE.get(), 2);

        nodes().delete(deployed.node(2));

        assertThatOnlyTheFirstNodeHasAClient(deployed);
    }

    @Test
    void aNodeThatIsCordonedOrInTroubleKeepsItsClient() {
        var deployed = DeployedClient.whole(PLANE.get(), 2);
        var before = CsiObjects.versions(deployed.clientPods());

        nodes().cordon(deployed.node(1));
        nodes().failing(deployed.node(2));
        giveTheManagerTime();

        assertThat(deployed.containers()).hasSize(2);
        assertThat(CsiObjects.versions(deployed.clientPods())).isEqualTo(before);
        assertThat(deployed.nodeServer(deployed.node(1)).get()).isNotNull();
        assertThat(deployed.nodeServer(deployed.node(2)).get()).isNotNull();
    }

    @Test
    void aNodeWhereAnotherDriverIsRestartedKeepsItsClientAndWhatIsDeletedComesBack() {
        var deployed = DeployedClient.whole(PLANE.get(), 1);
        String node = deployed.node(1);
        var before = CsiObjects.versions(deployed.containers());

        nodes().taint(node, PlayedNodes.of(CsiDriverDeployment.RESTARTING, "NoSchedule"));
        giveTheManagerTime();

        assertThat(CsiObjects.versions(deployed.containers())).isEqualTo(before);
        var pods = List.of(deployed.pod(node), deployed.nodeServer(node));
        var ended = pods.stream().map(pod -> pod.get().getMetadata().getUid()).toList();
        pods.forEach(pod -> pod.delete());
        Eventually.assertThat(() -> assertThat(pods).allSatisfy(pod -> {
            assertThat(pod.get()).isNotNull();
            assertThat(pod.get().getMetadata().getUid()).isNotIn(ended);
            assertThat(Pods.ready(pod.get())).isTrue();
        }));
        nodes().taint(node);
    }

    @Test
    void aNodeThatComesLaterGetsAClient() {
        var deployed = DeployedClient.whole(PLANE.get(), 1);
        String before = deployed.pod(deployed.node(1)).get().getMetadata().getUid();

        deployed.addNode();

        deployed.awaitWhole();
        assertThat(deployed.pod(deployed.node(1)).get().getMetadata().getUid()).isEqualTo(before);
    }

    @Test
    void anotherSelectorMovesTheClients() {
        var deployed = DeployedClient.whole(PLANE.get(), 2);
        nodes().label(deployed.node(1), "chosen", "yes");

        deployed.edit(
                spec -> spec.put("nodeSelector", Map.of(DeployedClient.POOL, deployed.namespace(), "chosen", "yes")));

        assertThatOnlyTheFirstNodeHasAClient(deployed);
    }

    @Test
    void nodesWhoseNamesAreAlikeOrLongHaveAContainerEach() {
        var deployed = DeployedClient.nothing(PLANE.get(), 0);
        String start = deployed.namespace();
        deployed.addNode(start + ".a");
        deployed.addNode(start + "-a");
        String label = "a".repeat(60);
        deployed.addNode("%s.%s.%s.one".formatted(start, label, label));
        deployed.addNode("%s.%s.%s.two".formatted(start, label, label));

        deployed.apply(spec -> {}).awaitWhole();

        assertThat(deployed.containers())
                .allSatisfy(container -> assertThat(container.getMetadata().getName())
                        .hasSizeLessThanOrEqualTo(63)
                        .startsWith("client-" + start));
        assertThat(deployed.clientPods()).hasSize(4);
    }

    @Test
    void whatSomebodyDeletesComesBack() {
        var deployed = DeployedClient.whole(PLANE.get(), 2);
        var pod = deployed.pod(deployed.node(1));
        String before = pod.get().getMetadata().getUid();

        pod.delete();
        PLANE.get()
                .client()
                .resource(deployed.container(deployed.node(2)).orElseThrow())
                .delete();
        Eventually.assertThat(() -> {
            assertThat(pod.get()).isNotNull();
            assertThat(pod.get().getMetadata().getUid()).isNotEqualTo(before);
        });

        deployed.awaitWhole();
    }
}
