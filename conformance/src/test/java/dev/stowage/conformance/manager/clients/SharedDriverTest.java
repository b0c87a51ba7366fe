package dev.stowage.conformance.manager.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.manager.Lasting;
import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.weka.WekaResources;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Several clients and one driver: of one cluster they share it, of two they cannot. */
class SharedDriverTest {

    @RegisterExtension
    static final Lasting<ClientsPlane> PLANE = ClientsPlane.shared();

    private static DeployedClient of(String cluster, String group) {
        return DeployedClient.nothing(PLANE.get(), 1).apply(spec -> {
            spec.put("csiGroup", group);
            spec.put("joinIpPorts", List.of(cluster + ".example.com:14000"));
        });
    }

    private static DeployedClient targeting(String namespace) {
        return DeployedClient.nothing(PLANE.get(), 1)
                .apply(spec -> spec.put("targetCluster", Map.of("name", "shared", "namespace", namespace)))
                .awaitDeployed();
    }

    private static String owner(CsiObjects csi) {
        var annotations = csi.controller().get().getMetadata().getAnnotations();
        assertThat(annotations).containsEntry(WekaResources.OWNER_NAME, DeployedClient.NAME);
        return String.valueOf(annotations.get(WekaResources.OWNER_NAMESPACE));
    }

    private static void awaitServers(CsiObjects csi, DeployedClient... clients) {
        Eventually.assertThat(() -> {
            assertThat(csi.nodeServers()).hasSize(clients.length).allMatch(Pods::ready);
            for (var client : clients) {
                assertThat(client.nodeServer(client.node(1)).get()).isNotNull();
            }
        });
    }

    @Test
    void clientsOfOneClusterShareADriverAndItsOwnerIsReplacedWhenItGoes() {
        var first = of("one", "sharedByTwo").awaitDeployed();
        var csi = PLANE.get().csi("csi.shared-by-two.weka.io");
        var second = of("one", "sharedByTwo").awaitDeployed();
        awaitServers(csi, first, second);
        assertThat(owner(csi)).isEqualTo(first.namespace());
        var before = csi.controller().get().getMetadata().getUid();
        var driver = csi.driverObject().get().getMetadata().getUid();

        first.delete();

        Eventually.assertThat(() -> assertThat(owner(csi)).isEqualTo(second.namespace()));
        Eventually.assertThat(() -> assertThat(second.events("CsiOwner")).isNotEmpty());
        assertThat(csi.controller().get().getMetadata().getUid()).isEqualTo(before);
        assertThat(csi.driverObject().get().getMetadata().getUid()).isEqualTo(driver);
        awaitServers(csi, second);
        second.awaitDeployed();

        second.delete();
        assertThat(csi.traces()).isEmpty();
    }

    @Test
    void whoLeavesASharedDriverTellsThatItStaysAndWhichVolumesItsOwnNodesUse() {
        var first = of("left-alone", "leftAlone").awaitDeployed();
        var second = of("left-alone", "leftAlone").awaitDeployed();
        var csi = PLANE.get().csi("csi.left-alone.weka.io");
        awaitServers(csi, first, second);
        var others =
                UsedVolume.of(first, csi.driver(), first.node(1), PLANE.get().client());
        var own =
                UsedVolume.of(second, csi.driver(), second.node(1), PLANE.get().client());

        second.delete();

        assertThat(second.events("CsiRemoved")).singleElement().satisfies(event -> {
            assertThat(event.getType()).isEqualTo("Warning");
            assertThat(event.getMessage())
                    .contains(csi.driver() + " stays for WekaClient " + first.namespace(), own.name(), "1 in all")
                    .doesNotContain(others.name());
        });
        first.awaitDeployed();
    }

    @Test
    void whenTheOwnerTurnsToAnotherDriverTheOtherTakesOver() {
        var first = of("turned", "turnedFrom").awaitDeployed();
        var csi = PLANE.get().csi("csi.turned-from.weka.io");
        var second = of("turned", "turnedFrom").awaitDeployed();
        awaitServers(csi, first, second);
        assertThat(owner(csi)).isEqualTo(first.namespace());
        var driver = csi.driverObject().get().getMetadata().getUid();

        first.edit(spec -> spec.put("csiGroup", "turnedTo")).awaitDeployed();

        var next = PLANE.get().csi("csi.turned-to.weka.io");
        awaitServers(next, first);
        awaitServers(csi, second);
        Eventually.assertThat(() -> assertThat(owner(csi)).isEqualTo(second.namespace()));
        assertThat(owner(next)).isEqualTo(first.namespace());
        Eventually.assertThat(() -> assertThat(second.events("CsiOwner"))
                .singleElement()
                .satisfies(event -> assertThat(event.getMessage()).contains(csi.driver(), first.namespace())));
        assertThat(csi.controller().get().getSpec().getTemplate().getSpec().getNodeSelector())
                .containsEntry(DeployedClient.POOL, second.namespace());
        assertThat(csi.driverObject().get().getMetadata().getUid()).isEqualTo(driver);
        assertThat(first.events("CsiDriverRenamed"))
                .singleElement()
                .satisfies(event -> assertThat(event.getMessage())
                        .contains(csi.driver() + " stays for WekaClient " + second.namespace()));
        second.awaitDeployed();
    }

    @Test
    void clientsThatTargetOneClusterShareItToo() {
        String namespace = DeployedClient.nothing(PLANE.get(), 0).namespace();
        PLANE.get().makeCluster(namespace, "shared", Map.of());
        var first = targeting(namespace);
        var second = targeting(namespace);
        var csi = PLANE.get().csi("csi.shared-%s.weka.io".formatted(namespace));
        awaitServers(csi, first, second);

        second.delete();

        awaitServers(csi, first);
        assertThat(owner(csi)).isEqualTo(first.namespace());
        first.awaitDeployed();
        first.delete();
        assertThat(csi.traces()).isEmpty();
    }

    @Test
    void machinesOfAClusterComeAndGoAndItsClientsStillShareTheDriver() {
        var first = of("grown", "grown").awaitDeployed();
        var second = of("grown", "grown").awaitDeployed();
        var csi = PLANE.get().csi("csi.grown.weka.io");
        awaitServers(csi, first, second);
        var before = CsiObjects.versions(csi.nodeServers());

        first.edit(spec -> spec.put("joinIpPorts", List.of("grown.example.com:14000", "new.example.com:14000")));
        DeployedClient.whole(PLANE.get(), 1);
        assertThat(CsiObjects.versions(csi.nodeServers())).isEqualTo(before);
        second.edit(spec -> spec.put("joinIpPorts", List.of("new.example.com:14000")));
        DeployedClient.whole(PLANE.get(), 1);

        first.awaitDeployed();
        second.awaitDeployed();
        assertThat(CsiObjects.versions(csi.nodeServers())).isEqualTo(before);
        assertThat(second.events("CsiRemoved")).isEmpty();
    }

    @Test
    void whenAClusterGetsOtherAddressesWhoIsNotToldYetKeepsTheDriver() {
        var first = of("moved", "moved").awaitDeployed();
        var second = of("moved", "moved").awaitDeployed();
        var csi = PLANE.get().csi("csi.moved.weka.io");
        awaitServers(csi, first, second);
        var before = CsiObjects.versions(csi.nodeServers());

        first.edit(spec -> spec.put("joinIpPorts", List.of("new-home.example.com:14000")))
                .awaitDeployed();
        DeployedClient.whole(PLANE.get(), 1);
        second.awaitDeployed();
        assertThat(CsiObjects.versions(csi.nodeServers())).isEqualTo(before);

        second.edit(spec -> spec.put("joinIpPorts", List.of("new-home.example.com:14000")))
                .awaitDeployed();
        first.awaitDeployed();
        assertThat(CsiObjects.versions(csi.nodeServers())).isEqualTo(before);
        assertThat(second.events("CsiRemoved")).isEmpty();
    }

    @Test
    void whatAClusterSaysOfItsDriverHoldsForItsClients() {
        String namespace = DeployedClient.nothing(PLANE.get(), 0).namespace();
        PLANE.get()
                .makeCluster(
                        namespace,
                        "shared",
                        Map.of(
                                "disableControllerCreation",
                                true,
                                "advanced",
                                Map.of("enforceTrustedHttps", true, "nodeLabels", Map.of("tier", "storage"))));
        var client = targeting(namespace);
        var csi = PLANE.get().csi("csi.shared-%s.weka.io".formatted(namespace));
        awaitServers(csi, client);

        assertThat(csi.controller().get()).isNull();
        assertThat(csi.nodeServers()).singleElement().satisfies(server -> {
            assertThat(server.getMetadata().getLabels()).containsEntry("tier", "storage");
            assertThat(server.getSpec().getContainers().getFirst().getArgs()).doesNotContain("--allowinsecurehttps");
        });
    }

    @Test
    void whenOneOfTwoOnANodeGetsAnotherDriverTheOthersNodeServerComesInItsPlace() {
        var first = of("place", "place").awaitDeployed();
        var csi = PLANE.get().csi("csi.place.weka.io");
        awaitServers(csi, first);
        var second = onTheNodesOf(first, "place", "place").awaitDeployed();
        Eventually.assertThat(() -> assertThat(second.container(first.node(1))).isPresent());
        String name = first.nodeServer(first.node(1)).get().getMetadata().getName();

        first.edit(spec -> spec.put("csiGroup", "elsewhere"));

        Eventually.assertThat(() -> assertThat(csi.nodeServers())
                .singleElement()
                .satisfies(server -> {
                    assertThat(Pods.ready(server)).isTrue();
                    assertThat(server.getMetadata().getName())
                            .as("two of different names would want one socket at a time")
                            .isEqualTo(name);
                    assertThat(server.getMetadata().getAnnotations().get(WekaResources.CONTAINER))
                            .startsWith(second.namespace());
                }));
        first.awaitDeployed();
    }

    @Test
    void theControllerKeepsTheSelectorOfItsOwner() {
        var first = of("calm", "calm").awaitDeployed();
        var csi = PLANE.get().csi("csi.calm.weka.io");
        var before = CsiObjects.versions(csi.objects());
        var second = of("calm", "calm").awaitDeployed();
        awaitServers(csi, first, second);

        assertThat(CsiObjects.versions(csi.objects())).isEqualTo(before);
        assertThat(csi.controller().get().getSpec().getTemplate().getSpec().getNodeSelector())
                .containsEntry(DeployedClient.POOL, first.namespace());
    }

    @Test
    void onANodeWithTwoClientsThatShareADriverThereIsOneNodeServer() {
        var first = of("tight", "tight").awaitDeployed();
        var csi = PLANE.get().csi("csi.tight.weka.io");
        awaitServers(csi, first);
        var second = onTheNodesOf(first, "tight", "tight").awaitDeployed();
        Eventually.assertThat(() -> assertThat(
                        DeployedClient.condition(second.container(first.node(1)).orElseThrow(), "CsiNodeServer"))
                .isEqualTo("True"));
        awaitServers(csi, first);

        first.delete();

        Eventually.assertThat(() -> assertThat(csi.nodeServers())
                .singleElement()
                .satisfies(server -> {
                    assertThat(Pods.ready(server)).isTrue();
                    assertThat(server.getMetadata().getAnnotations().get(WekaResources.CONTAINER))
                            .startsWith(second.namespace());
                }));
        second.delete();
        assertThat(csi.traces()).isEmpty();
    }

    @Test
    void onANodeWithTwoClientsOfTwoDriversEachHasItsNodeServer() {
        var first = of("near", "near").awaitDeployed();
        var near = PLANE.get().csi("csi.near.weka.io");
        var far = PLANE.get().csi("csi.far.weka.io");
        awaitServers(near, first);
        // Its containers have the names of the first one's, in another namespace.
        var second = onTheNodesOf(first, "far", "far").awaitDeployed();

        Eventually.assertThat(() -> {
            assertThat(far.nodeServers()).hasSize(1).allMatch(Pods::ready);
            assertThat(far.topology(first.node(1))).isNotEmpty();
            assertThat(near.topology(first.node(1))).isNotEmpty();
        });
        awaitServers(near, first);

        second.delete();

        assertThat(far.traces()).isEmpty();
        awaitServers(near, first);
        assertThat(near.topology(first.node(1))).isNotEmpty();
    }

    private static DeployedClient onTheNodesOf(DeployedClient other, String cluster, String group) {
        return DeployedClient.nothing(PLANE.get(), 0).apply(spec -> {
            spec.put("csiGroup", group);
            spec.put("joinIpPorts", List.of(cluster + ".example.com:14000"));
            spec.put("nodeSelector", Map.of(DeployedClient.POOL, other.namespace()));
        });
    }

    @Test
    void ofClientsOfTwoClustersTheFirstKeepsTheNameUntilItGoes() {
        var first = of("left", "wanted").awaitDeployed();
        var csi = PLANE.get().csi("csi.wanted.weka.io");
        awaitServers(csi, first);
        var before = CsiObjects.versions(csi.objects());
        var second = of("right", "wanted");

        second.awaitRefusal("NameTaken");

        assertThat(second.message("CsiDeployed")).contains(first.namespace());
        Eventually.assertThat(() -> assertThat(second.events("NameTaken")).isNotEmpty());
        assertThat(CsiObjects.versions(csi.objects())).isEqualTo(before);
        // It is a client all the same.
        Eventually.assertThat(
                () -> assertThat(Pods.ready(second.pod(second.node(1)).get())).isTrue());
        awaitServers(csi, first);

        first.delete();

        second.awaitDeployed();
        awaitServers(csi, second);
        assertThat(owner(csi)).isEqualTo(second.namespace());
        second.delete();
        assertThat(csi.traces()).isEmpty();
    }

    @Test
    void whoGivesANameUpLeavesItToTheOther() {
        var first = of("east", "givenUp").awaitDeployed();
        var second = of("west", "givenUp").awaitRefusal("NameTaken");

        first.edit(spec -> spec.put("csiGroup", "newOne")).awaitDeployed();

        second.awaitDeployed();
        assertThat(owner(PLANE.get().csi("csi.given-up.weka.io"))).isEqualTo(second.namespace());
        assertThat(owner(PLANE.get().csi("csi.new-one.weka.io"))).isEqualTo(first.namespace());
    }
}
