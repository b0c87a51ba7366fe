package dev.stowage.conformance.manager.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.manager.Lasting;
import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.weka.WekaContainer;
import dev.stowage.kube.weka.WekaResources;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.fabric8.kubernetes.api.model.storage.CSIDriverBuilder;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.dsl.PodResource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client brings its driver, and each of its containers a node server. */
class FollowingClientsTest {

    private static final Toleration TOLERATION =
            new TolerationBuilder().withKey("storage").withOperator("Exists").build();

    @RegisterExtension
    static final Lasting<ClientsPlane> PLANE = ClientsPlane.shared();

    @AfterEach
    void theRightsOfTheManagerSuffice() {
        PLANE.get().assertThatItsRightsSuffice();
    }

    private static DeployedClient tolerant(int nodes) {
        return DeployedClient.nothing(PLANE.get(), nodes)
                .apply(spec -> spec.put("tolerations", List.of("storage")))
                .awaitWhole();
    }

    @Test
    void aClientBringsItsDriverItsClassesAndItsController() {
        var deployed = tolerant(1);
        var csi = deployed.csi();

        var driver = csi.driverObject().get().getSpec();
        assertThat(driver.getAttachRequired()).isTrue();
        assertThat(driver.getPodInfoOnMount()).isTrue();
        assertThat(driver.getFsGroupPolicy()).isEqualTo("File");
        assertThat(driver.getVolumeLifecycleModes()).containsExactly("Persistent");

        assertThatItIsAClass(csi.storageClass().get(), deployed.driverName());
        assertThat(csi.storageClass().get().getMountOptions()).isNullOrEmpty();
        assertThatItIsAClass(csi.direct().get(), deployed.driverName());
        assertThat(csi.direct().get().getMountOptions()).containsExactly("forcedirect");

        var controller = csi.controller().get();
        assertThat(controller.getMetadata().getLabels())
                .containsEntry(WekaResources.DRIVER, deployed.driverName())
                .containsEntry(WekaResources.MODE, "csi_controller");
        assertThat(controller.getMetadata().getAnnotations())
                .containsKey(WekaResources.CONTROLLER_HASH)
                .containsEntry(WekaResources.OWNER_NAME, DeployedClient.NAME)
                .containsEntry(WekaResources.OWNER_NAMESPACE, deployed.namespace());
        assertThat(controller.getSpec().getReplicas()).isEqualTo(2);
        var pod = controller.getSpec().getTemplate().getSpec();
        assertThat(pod.getNodeSelector()).containsEntry(DeployedClient.POOL, deployed.namespace());
        assertThat(pod.getTolerations()).contains(TOLERATION);
        assertThat(pod.getContainers().getFirst().getName()).isEqualTo("wekafs");
        assertThat(pod.getContainers().getFirst().getImage()).isEqualTo("quay.io/weka.io/csi-wekafs:v2.7.2");

        assertThat(deployed.status().csiDriverName()).isEqualTo(deployed.driverName());
        assertThat(deployed.status().csiConfigHash()).isNotBlank();
        assertThat(deployed.reason("CsiDeployed")).isEqualTo("Deployed");
    }

    private static void assertThatItIsAClass(StorageClass found, String driver) {
        assertThat(found.getProvisioner()).isEqualTo(driver);
        assertThat(found.getReclaimPolicy()).isEqualTo("Delete");
        assertThat(found.getVolumeBindingMode()).isEqualTo("Immediate");
        assertThat(found.getAllowVolumeExpansion()).isTrue();
        assertThat(found.getParameters())
                .as("nobody has named a secret")
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("filesystemName", "default", "volumeType", "dir/v1", "capacityEnforcement", "HARD"));
        assertThat(Objects.requireNonNullElse(found.getMetadata().getAnnotations(), Map.<String, String>of()))
                .doesNotContainEntry("storageclass.kubernetes.io/is-default-class", "true");
    }

    @Test
    void eachContainerBringsANodeServerToItsNode() {
        var deployed = tolerant(2);

        String node = deployed.node(2);
        assertThat(deployed.container(node).orElseThrow().getSpec().csiDriverName())
                .isEqualTo(deployed.driverName());
        var server = deployed.nodeServer(node).get();
        assertThat(server.getMetadata().getLabels())
                .containsEntry(WekaResources.DRIVER, deployed.driverName())
                .containsEntry(WekaResources.MODE, "csi_node");
        assertThat(server.getMetadata().getAnnotations())
                .containsEntry(WekaResources.CONTAINER, deployed.namespace() + "/client-" + node)
                .containsEntry("storage.stowage.dev/node", node)
                .containsKey(WekaResources.NODE_HASH);
        assertThat(Pods.node(server)).isEqualTo(node);
        assertThat(server.getSpec().getNodeSelector()).isNullOrEmpty();
        assertThat(server.getSpec().getTolerations()).contains(TOLERATION);
        assertThat(Pods.image(server)).isEqualTo("quay.io/weka.io/csi-wekafs:v2.7.2");
    }

    @Test
    void aPairOfClassesThatIsHalfThereIsCompleted() {
        var deployed = DeployedClient.whole(PLANE.get(), 1);
        var before = CsiObjects.versions(List.of(deployed.csi().storageClass().get()));

        deployed.csi().direct().delete();

        Eventually.assertThat(() -> assertThat(deployed.csi().direct().get()).isNotNull());
        assertThat(CsiObjects.versions(List.of(deployed.csi().storageClass().get())))
                .isEqualTo(before);
    }

    @Test
    void whatSomebodyChangesOrDeletesIsRestored() {
        var deployed = DeployedClient.whole(PLANE.get(), 1);
        var server = deployed.nodeServer(deployed.node(1));
        String before = server.get().getMetadata().getUid();

        deployed.csi().driverObject().delete();
        deployed.csi().controller().edit(found -> {
            found.getSpec().setReplicas(7);
            return found;
        });
        server.delete();

        Eventually.assertThat(() -> {
            assertThat(deployed.csi().driverObject().get()).isNotNull();
            assertThat(deployed.csi().controller().get().getSpec().getReplicas())
                    .isEqualTo(2);
            assertThat(server.get().getMetadata().getUid()).isNotEqualTo(before);
        });
        deployed.awaitWhole();
    }

    @Test
    void anotherTolerationReachesEverythingThatRuns() {
        var deployed = DeployedClient.whole(PLANE.get(), 2);
        String before =
                deployed.nodeServer(deployed.node(1)).get().getMetadata().getUid();

        deployed.edit(spec -> spec.put("tolerations", List.of("storage")));

        Eventually.assertThat(() -> {
            assertThat(deployed.csi().nodeServers())
                    .hasSize(2)
                    .allSatisfy(server ->
                            assertThat(server.getSpec().getTolerations()).contains(TOLERATION));
            assertThat(deployed.clientPods())
                    .hasSize(2)
                    .allSatisfy(
                            pod -> assertThat(pod.getSpec().getTolerations()).contains(TOLERATION));
            assertThat(deployed.csi()
                            .controller()
                            .get()
                            .getSpec()
                            .getTemplate()
                            .getSpec()
                            .getTolerations())
                    .contains(TOLERATION);
        });
        deployed.awaitWhole();
        assertThat(deployed.nodeServer(deployed.node(1)).get().getMetadata().getUid())
                .isNotEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {WekaResources.MODE, WekaResources.DRIVER})
    void aNodeServerThatLostALabelIsMadeAnew(String label) {
        var deployed = DeployedClient.whole(PLANE.get(), 1);
        var server = deployed.nodeServer(deployed.node(1));
        String before = server.get().getMetadata().getUid();

        server.edit(found -> {
            found.getMetadata().getLabels().put(label, "something-else");
            return found;
        });

        Eventually.assertThat(() -> {
            assertThat(server.get().getMetadata().getUid()).isNotEqualTo(before);
            assertThat(server.get().getMetadata().getLabels()).containsEntry(WekaResources.MODE, "csi_node");
        });
    }

    @Test
    void aNodeServerThatSomebodyChangesIsMadeAnewAndTold() {
        var deployed = DeployedClient.whole(PLANE.get(), 1);
        var server = deployed.nodeServer(deployed.node(1));

        String first = server.get().getMetadata().getUid();
        server.edit(found -> {
            found.getSpec().getContainers().getFirst().setImage("other:1");
            return found;
        });
        awaitAnother(server, first);
        assertThat(Pods.image(server.get())).isEqualTo("quay.io/weka.io/csi-wekafs:v2.7.2");

        String second = server.get().getMetadata().getUid();
        server.edit(found -> {
            found.getSpec().getTolerations().add(TOLERATION);
            return found;
        });
        awaitAnother(server, second);
        assertThat(server.get().getSpec().getTolerations()).doesNotContain(TOLERATION);

        assertThat(deployed.events("Restored"))
                .hasSize(2)
                .allSatisfy(event -> assertThat(event.getMessage())
                        .contains(server.get().getMetadata().getName())
                        .containsPattern("was changed by \\S+ at "))
                .anySatisfy(event -> assertThat(event.getMessage())
                        .contains("spec.containers[wekafs].image is other:1 instead of quay.io/weka.io/csi-wekafs"))
                .anySatisfy(event -> assertThat(event.getMessage()).contains("spec.tolerations"));
    }

    private static void awaitAnother(PodResource pod, String former) {
        Eventually.assertThat(() -> {
            assertThat(pod.get()).isNotNull();
            assertThat(pod.get().getMetadata().getUid()).isNotEqualTo(former);
            assertThat(Pods.ready(pod.get())).isTrue();
        });
    }

    @Test
    void otherLabelsOfNodeServersMakeThemAnewAndNothingElse() {
        var client = DeployedClient.whole(PLANE.get(), 2);
        var servers = CsiObjects.versions(client.csi().nodeServers());
        var objects = uids(client.csi().objects());

        for (String tier : List.of("storage", "fast")) {
            client.edit(spec -> spec.put("csiConfig", Map.of("advanced", Map.of("nodeLabels", Map.of("tier", tier)))));
            Eventually.assertThat(() -> assertThat(client.csi().nodeServers())
                    .hasSize(2)
                    .allMatch(Pods::ready)
                    .allSatisfy(server ->
                            assertThat(server.getMetadata().getLabels()).containsEntry("tier", tier)));
            assertThat(CsiObjects.versions(client.csi().nodeServers()))
                    .hasSize(2)
                    .doesNotContainValue(servers.values().iterator().next());
        }

        client.awaitWhole();
        assertThat(uids(client.csi().objects())).isEqualTo(objects);
    }

    private static List<String> uids(List<HasMetadata> objects) {
        return objects.stream()
                .map(object -> object.getMetadata().getUid())
                .sorted()
                .toList();
    }

    @Test
    void classesNameTheSecretOfTheClient() {
        var deployed = DeployedClient.nothing(PLANE.get(), 1)
                .apply(spec -> spec.put("wekaSecretRef", "credentials"))
                .awaitDeployed();

        for (String purpose :
                List.of("provisioner", "controller-publish", "controller-expand", "node-stage", "node-publish")) {
            String parameter = "csi.storage.k8s.io/%s-secret-".formatted(purpose);
            assertThat(deployed.csi().storageClass().get().getParameters())
                    .containsEntry(parameter + "name", "credentials")
                    .containsEntry(parameter + "namespace", deployed.namespace());
        }
    }

    @Test
    void aControllerThatSomebodyElseRunsIsNotMade() {
        var deployed = DeployedClient.whole(PLANE.get(), 1);

        deployed.edit(spec -> spec.put("csiConfig", Map.of("disableControllerCreation", true)));

        Eventually.assertThat(
                () -> assertThat(deployed.csi().controller().get()).isNull());
        deployed.awaitWhole();
        assertThat(deployed.csi().driverObject().get()).isNotNull();
    }

    @Test
    void aContainerOfSomebodyElseStaysWhateverItsLabelSays() {
        var deployed = DeployedClient.whole(PLANE.get(), 1);
        var theirs = new WekaContainer();
        theirs.setMetadata(new ObjectMetaBuilder()
                .withNamespace(deployed.namespace())
                .withName("theirs")
                .addToLabels(WekaResources.CLIENT, DeployedClient.NAME)
                .build());
        PLANE.get().client().resource(theirs).create();

        deployed.addNode();
        Eventually.assertThat(
                () -> assertThat(deployed.container(deployed.node(2))).isPresent());
        deployed.delete();

        assertThat(deployed.containers())
                .extracting(container -> container.getMetadata().getName())
                .containsExactly("theirs");
    }

    @Test
    void whatSomebodyElseHasMadeIsNotTouched() {
        var deployed = DeployedClient.nothing(PLANE.get(), 1);
        var theirs = PLANE.get()
                .client()
                .resource(new CSIDriverBuilder()
                        .withNewMetadata()
                        .withName(deployed.driverName())
                        .endMetadata()
                        .withNewSpec()
                        .withAttachRequired(false)
                        .endSpec()
                        .build())
                .create();

        deployed.apply(spec -> {}).awaitRefusal("NotOurs");

        assertThat(deployed.message("CsiDeployed")).contains(deployed.driverName());
        assertThat(deployed.csi().driverObject().get()).isEqualTo(theirs);
        assertThat(deployed.csi().storageClass().get()).isNull();
        // The client itself does not need a driver.
        Eventually.assertThat(() ->
                assertThat(Pods.ready(deployed.pod(deployed.node(1)).get())).isTrue());

        deployed.delete();
        assertThat(deployed.csi().driverObject().get()).isEqualTo(theirs);
    }
}
