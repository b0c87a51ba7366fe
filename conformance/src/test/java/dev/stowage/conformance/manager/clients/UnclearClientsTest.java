package dev.stowage.conformance.manager.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.manager.Lasting;
import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.weka.WekaResources;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** When nobody can tell what is wanted, what is there stays as it is. */
class UnclearClientsTest {

    /** A definition lets it through, and no type fits it. */
    private static final List<Map<String, Object>> NONSENSE =
            List.of(Map.of("key", "storage", "operator", "Exists", "tolerationSeconds", "5m"));

    @RegisterExtension
    static final Lasting<ClientsPlane> PLANE = ClientsPlane.shared();

    /** Of the driver and its node servers: the same unless something was changed or made anew. */
    private static Map<String, String> versions(CsiObjects csi) {
        var versions = new TreeMap<>(CsiObjects.versions(csi.objects()));
        versions.putAll(CsiObjects.versions(csi.nodeServers()));
        return versions;
    }

    private static void giveTheManagerTime() {
        DeployedClient.whole(PLANE.get(), 1);
    }

    private static void awaitReason(DeployedClient client, String reason) {
        Eventually.assertThat(() -> assertThat(client.reason("CsiDeployed"))
                .as(client.message("CsiDeployed"))
                .isEqualTo(reason));
        assertThat(client.status().csiDeployed()).isTrue();
    }

    private static DeployedClient targeting(String namespace) {
        return DeployedClient.nothing(PLANE.get(), 2)
                .apply(spec -> spec.put("targetCluster", Map.of("name", "prod", "namespace", namespace)))
                .awaitDeployed();
    }

    @Test
    void aClientThatCannotBeReadKeepsItsDriverAndSoDoWhoShareIt() {
        var owner = DeployedClient.whole(PLANE.get(), 1);
        var sharer = DeployedClient.nothing(PLANE.get(), 1)
                .apply(spec -> {
                    spec.put("csiGroup", owner.namespace());
                    spec.put("joinIpPorts", List.of(owner.namespace() + ".example.com:14000"));
                })
                .awaitDeployed();
        Eventually.assertThat(
                () -> assertThat(owner.csi().nodeServers()).hasSize(2).allMatch(Pods::ready));
        var before = versions(owner.csi());

        owner.edit(spec -> spec.put("rawTolerations", NONSENSE));

        awaitReason(owner, "Invalid");
        assertThat(owner.message("CsiDeployed")).contains("tolerationSeconds");
        awaitReason(sharer, "Invalid");
        assertThat(sharer.message("CsiDeployed")).contains(owner.namespace());
        giveTheManagerTime();
        assertThat(versions(owner.csi())).isEqualTo(before);

        owner.edit(spec -> spec.remove("rawTolerations"));
        owner.awaitDeployed();
        sharer.awaitDeployed();
        assertThat(versions(owner.csi())).isEqualTo(before);
    }

    @Test
    void whoSharesADriverAndCannotBeReadKeepsItsNodeServerAsItIs() {
        var owner = DeployedClient.whole(PLANE.get(), 1);
        var sharer = DeployedClient.nothing(PLANE.get(), 1)
                .apply(spec -> {
                    spec.put("csiGroup", owner.namespace());
                    spec.put("joinIpPorts", List.of(owner.namespace() + ".example.com:14000"));
                    spec.put("csiConfig", Map.of("advanced", Map.of("nodeLabels", Map.of("tier", "storage"))));
                })
                .awaitDeployed();
        Eventually.assertThat(
                () -> assertThat(owner.csi().nodeServers()).hasSize(2).allMatch(Pods::ready));
        var before = versions(owner.csi());
        var server = sharer.nodeServer(sharer.node(1));
        var former = server.get().getMetadata().getUid();

        sharer.edit(spec -> spec.put("rawTolerations", NONSENSE));

        awaitReason(sharer, "Invalid");
        giveTheManagerTime();
        owner.awaitDeployed();
        assertThat(versions(owner.csi())).isEqualTo(before);

        server.delete();
        Eventually.assertThat(() -> {
            assertThat(server.get().getMetadata().getUid()).isNotEqualTo(former);
            assertThat(Pods.ready(server.get())).isTrue();
        });
        assertThat(server.get().getMetadata().getLabels()).containsEntry("tier", "storage");
    }

    @Test
    void aRecordThatIsNoneStopsNothing() {
        var client = DeployedClient.whole(PLANE.get(), 1);
        String record = WekaResources.SERVER + client.driverName();
        var container = client.container(client.node(1)).orElseThrow();

        Eventually.assertThat(() -> PLANE.get().client().resource(container).edit(found -> {
            found.getMetadata().getAnnotations().put(record, "a: b: c");
            return found;
        }));

        Eventually.assertThat(() -> assertThat(client.container(client.node(1))
                        .orElseThrow()
                        .getMetadata()
                        .getAnnotations()
                        .get(record))
                .contains("csi_node"));
        client.edit(spec -> spec.put("tolerations", List.of("dedicated"))).awaitWhole();
        client.delete();
        assertThat(client.csi().traces()).isEmpty();
    }

    @Test
    void aContainerThatCannotBeReadSaysSoAndKeepsItsNodeServer() {
        var client = DeployedClient.whole(PLANE.get(), 1);
        var before = versions(client.csi());
        // A client that can be read would mend it.
        client.edit(spec -> spec.put("rawTolerations", NONSENSE));
        awaitReason(client, "Invalid");

        var name = client.container(client.node(1)).orElseThrow().getMetadata().getName();
        PLANE.get()
                .client()
                .genericKubernetesResources("weka.weka.io/v1alpha1", "WekaContainer")
                .inNamespace(client.namespace())
                .withName(name)
                .edit(found -> {
                    found.setAdditionalProperty("spec", Map.of("mode", "client", "tolerations", NONSENSE));
                    return found;
                });

        Eventually.assertThat(() -> assertThat(client.containers())
                .singleElement()
                .satisfies(container -> {
                    assertThat(container.getStatus().status()).isEqualTo("Error");
                    assertThat(DeployedClient.message(container, "Running")).contains("tolerationSeconds");
                }));
        giveTheManagerTime();
        assertThat(versions(client.csi())).isEqualTo(before);

        client.edit(spec -> spec.remove("rawTolerations")).awaitWhole();
        assertThat(versions(client.csi())).isEqualTo(before);
    }

    @Test
    void aClusterThatCannotBeReadRenamesNothing() {
        String namespace = DeployedClient.nothing(PLANE.get(), 0).namespace();
        PLANE.get().makeCluster(namespace, "prod", Map.of("csiGroup", "of-" + namespace));
        var client = targeting(namespace);
        var csi = PLANE.get().csi("csi.of-%s.weka.io".formatted(namespace));
        Eventually.assertThat(() -> assertThat(csi.nodeServers()).hasSize(2).allMatch(Pods::ready));
        var before = versions(csi);

        PLANE.get()
                .client()
                .genericKubernetesResources("weka.weka.io/v1alpha1", "WekaCluster")
                .inNamespace(namespace)
                .withName("prod")
                .edit(found -> withConfig(
                        found, Map.of("csiGroup", "of-" + namespace, "advanced", Map.of("nodeTolerations", NONSENSE))));

        awaitReason(client, "Invalid");
        assertThat(client.message("CsiDeployed")).contains("prod", "tolerationSeconds");
        giveTheManagerTime();
        assertThat(versions(csi)).isEqualTo(before);
    }

    private static GenericKubernetesResource withConfig(GenericKubernetesResource cluster, Map<String, Object> config) {
        cluster.setAdditionalProperty("spec", Map.of("csiConfig", config));
        return cluster;
    }

    @Test
    void withoutItsClusterADriverStaysButNotOnNodesThatTheClientLeaves() {
        String namespace = DeployedClient.nothing(PLANE.get(), 0).namespace();
        PLANE.get().makeCluster(namespace, "prod", Map.of());
        var client = targeting(namespace);
        var csi = PLANE.get().csi("csi.prod-%s.weka.io".formatted(namespace));
        Eventually.assertThat(() -> assertThat(csi.nodeServers()).hasSize(2).allMatch(Pods::ready));
        var before = CsiObjects.versions(csi.objects());
        PLANE.get()
                .client()
                .genericKubernetesResources("weka.weka.io/v1alpha1", "WekaCluster")
                .inNamespace(namespace)
                .withName("prod")
                .delete();
        awaitReason(client, "TargetClusterMissing");

        PLANE.get().nodes().label(client.node(2), DeployedClient.POOL, null);

        Eventually.assertThat(() -> assertThat(csi.nodeServers())
                .singleElement()
                .satisfies(server -> assertThat(
                                server.getMetadata().getAnnotations().get(WekaResources.CONTAINER))
                        .contains(client.node(1))));
        assertThat(CsiObjects.versions(csi.objects())).isEqualTo(before);
    }
}
