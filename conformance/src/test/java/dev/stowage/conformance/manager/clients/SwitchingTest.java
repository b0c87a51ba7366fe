package dev.stowage.conformance.manager.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.manager.Lasting;
import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.weka.WekaResources;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.storage.CSIDriverBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The values of drivers are followed while the manager runs. */
class SwitchingTest {

    @RegisterExtension
    static final Lasting<ClientsPlane> PLANE = Lasting.forTheClass(ClientsPlane.class, ClientsPlane::withManager);

    /** All clients of the class follow the same values, so those of former tests are gone. */
    private final List<DeployedClient> deployed = new ArrayList<>();

    @BeforeEach
    void reset() {
        values().reset();
    }

    @AfterEach
    void removeClients() {
        values().reset();
        deployed.forEach(DeployedClient::delete);
        PLANE.get().assertThatItsRightsSuffice();
    }

    private static CsiValues values() {
        return PLANE.get().values();
    }

    private DeployedClient whole(int nodes) {
        var one = DeployedClient.whole(PLANE.get(), nodes);
        deployed.add(one);
        return one;
    }

    @Test
    void volumesThatNameSecretsInANamespaceThatIsGoneKeepNobodyFromTheDriver() {
        var client = whole(1);
        String gone = client.namespace() + "-gone";
        PLANE.get().stopManager();
        UsedVolume.byNobody(client.driverName(), gone, PLANE.get().client());
        // It looks at volumes when it starts, and then rarely.
        PLANE.get().startManager();

        values().put("installationEnabled", false);
        client.awaitRefusal("Disabled");
        values().put("installationEnabled", true);
        client.awaitWhole();

        PLANE.get().makeNamespace(gone);
        // The last of what is made there.
        var rights = PLANE.get()
                .client()
                .rbac()
                .roleBindings()
                .inNamespace(gone)
                .withName(client.driverName().replace('.', '-') + "-csi");
        Eventually.assertThat(() -> assertThat(rights.get()).isNotNull());

        // Nobody here ends it, so that it stays as it is while it ends.
        PLANE.get().client().namespaces().withName(gone).delete();
        Eventually.assertThat(() -> {
            // So that it is looked at; the manager may not know of the end yet.
            client.csi().direct().delete();
            assertThat(rights.get()).isNull();
        });
        values().put("installationEnabled", false);
        client.awaitRefusal("Disabled");
        values().put("installationEnabled", true);
        client.awaitWhole();
        assertThat(rights.get()).isNull();
    }

    @Test
    void switchedOffEverythingGoesAndSwitchedOnItComesBackWithoutARestart() {
        var client = whole(2);
        var used = UsedVolume.of(
                client, client.driverName(), client.node(1), PLANE.get().client());
        var before = used.objects();
        var clients = CsiObjects.versions(client.clientPods());

        for (int round = 0; round < 2; round++) {
            values().put("installationEnabled", false);
            client.awaitRefusal("Disabled");
            Eventually.assertThat(() -> assertThat(client.csi().traces()).isEmpty());
            assertThat(client.containers())
                    .hasSize(2)
                    .allSatisfy(container ->
                            assertThat(container.getSpec().csiDriverName()).isNull());

            values().put("installationEnabled", true);
            client.awaitWhole();
        }

        assertThat(used.objects()).as("volumes, claims and pods that use them").isEqualTo(before);
        assertThat(CsiObjects.versions(client.clientPods()))
                .as("pods of clients")
                .isEqualTo(clients);
        assertThat(PLANE.get().managed().manager().running()).isTrue();
    }

    @Test
    void switchedOffFromTheBeginningAClientIsOnlyAClient() {
        values().put("installationEnabled", false);
        var client = DeployedClient.nothing(PLANE.get(), 1).apply(spec -> {});
        deployed.add(client);

        client.awaitRefusal("Disabled");

        Eventually.assertThat(() -> assertThat(client.status().status()).isEqualTo("Running"));
        assertThat(client.csi().traces()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "installationEnabled: perhaps",
                "installationEnabled: true\nnoSuchValue: 1",
                "installationEnabled: false\ncontrollerReplicas: many",
                "installationEnabled: true\ncontrollerReplicas: -1",
                "installationEnabled: true\ncontrollerTemplate: {spec: {containers: none}}",
                "installationEnabled: [",
            })
    void valuesThatAreNoneAreToldAndNothingIsTouched(String text) {
        var client = whole(1);
        var objects = CsiObjects.versions(client.csi().objects());
        var servers = CsiObjects.versions(client.csi().nodeServers());

        values().write(text);

        Eventually.assertThat(() -> {
            assertThat(client.condition("CsiDeployed")).isEqualTo("False");
            assertThat(client.reason("CsiDeployed")).isEqualTo("InvalidConfiguration");
            assertThat(client.message("CsiDeployed")).isNotBlank();
        });
        assertThat(CsiObjects.versions(client.csi().objects())).isEqualTo(objects);
        assertThat(CsiObjects.versions(client.csi().nodeServers())).isEqualTo(servers);

        values().reset();
        client.awaitWhole();
        assertThat(CsiObjects.versions(client.csi().objects())).isEqualTo(objects);
    }

    @Test
    void aManagerThatTakesOverDoesNotCallADriverWellThatIsNot() {
        var client = whole(1);
        values().put(
                        "controllerTemplate",
                        Map.of(
                                "spec",
                                Map.of(
                                        "containers",
                                        List.of(Map.of(
                                                "name",
                                                "driver",
                                                "image",
                                                "driver:1",
                                                "volumeMounts",
                                                List.of(Map.of("name", "missing", "mountPath", "/data")))))));
        Eventually.assertThat(() -> assertThat(client.reason("CsiDeployed")).isEqualTo("Invalid"));
        assertThat(client.status().csiDeployed()).isTrue();
        var before = client.resource().get().getMetadata().getResourceVersion();

        PLANE.get().stopManager();
        PLANE.get().startManager();
        // It looks at this one, too, and later.
        var another = DeployedClient.nothing(PLANE.get(), 1).apply(spec -> {});
        deployed.add(another);
        Eventually.assertThat(() -> assertThat(another.reason("CsiDeployed")).isEqualTo("Invalid"));

        assertThat(client.resource().get().getMetadata().getResourceVersion())
                .as("there is nothing new to tell")
                .isEqualTo(before);
    }

    @Test
    void theHashChangesWithTheConfigurationAndWithNothingElse() {
        var client = whole(1);
        String before = hash(client);
        assertThat(before).isNotBlank().isEqualTo(hashOfTheController(client));

        client.addNode();
        client.edit(spec -> spec.put("image", "client:2")).awaitWhole();
        values().put("adopt", true);
        giveTheManagerTime();
        assertThat(hash(client)).isEqualTo(before);
        assertThat(hashOfTheController(client)).isEqualTo(before);

        values().put("logLevel", 7);
        Eventually.assertThat(() -> {
            assertThat(hash(client)).isNotBlank().isNotEqualTo(before);
            assertThat(hashOfTheController(client)).isEqualTo(hash(client));
        });

        values().remove("logLevel");
        Eventually.assertThat(() -> {
            assertThat(hash(client)).isEqualTo(before);
            assertThat(hashOfTheController(client)).isEqualTo(before);
        });
    }

    private static String hash(DeployedClient client) {
        return String.valueOf(client.status().csiConfigHash());
    }

    private static String hashOfTheController(DeployedClient client) {
        return String.valueOf(
                client.csi().controller().get().getMetadata().getAnnotations().get(WekaResources.CONTROLLER_HASH));
    }

    @Test
    void anotherImageChangesOnlyWhatRunsIt() {
        var client = whole(2);
        var before = CsiObjects.versions(client.csi().objects());
        var servers = CsiObjects.versions(client.csi().nodeServers());

        values().put("provisionerImage", "provisioner:other");
        Eventually.assertThat(() -> assertThat(client.csi()
                        .controller()
                        .get()
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers())
                .extracting(Container::getImage)
                .contains("provisioner:other"));
        client.awaitWhole();

        assertThat(CsiObjects.versions(client.csi().nodeServers()))
                .as("node servers have no provisioner")
                .isEqualTo(servers);
        var after = CsiObjects.versions(client.csi().objects());
        assertThat(changed(before, after))
                .containsExactly("Deployment "
                        + client.csi().controller().get().getMetadata().getName());
        assertThat(uids(after)).isEqualTo(uids(before));
    }

    private static List<String> changed(Map<String, String> before, Map<String, String> after) {
        assertThat(after.keySet()).isEqualTo(before.keySet());
        return after.keySet().stream()
                .filter(name -> !Objects.equals(before.get(name), after.get(name)))
                .toList();
    }

    private static List<String> uids(Map<String, String> versions) {
        return versions.values().stream()
                .map(version -> version.replaceFirst(" .*", ""))
                .toList();
    }

    @Test
    void anotherImageOfTheDriverReachesNodeServersOneAfterTheOther() {
        var client = whole(3);

        values().put("image", PlayedKubelet.BROKEN + ":1");
        awaitServers(client, 1, PlayedKubelet.BROKEN + ":1");
        giveTheManagerTime();
        awaitServers(client, 1, PlayedKubelet.BROKEN + ":1");
        Eventually.assertThat(() -> {
            assertThat(client.condition("CsiDeployed")).isEqualTo("True");
            assertThat(client.message("CsiDeployed")).contains("former template");
            assertThat(client.containers())
                    .filteredOn(container ->
                            DeployedClient.message(container, "CsiNodeServer").contains("former template"))
                    .hasSize(2)
                    .allSatisfy(container -> assertThat(client.message("CsiDeployed"))
                            .contains(String.valueOf(container.getSpec().nodeAffinity())));
        });

        values().put("image", "driver:2");
        awaitServers(client, 3, "driver:2");
        client.awaitWhole();
    }

    @Test
    void noNodeServerEndsForOneThatTheApiServerWouldNotTake() {
        var client = whole(3);
        var servers = CsiObjects.versions(client.csi().nodeServers());

        values().put("nodeTemplate", mounting("nowhere"));

        Eventually.assertThat(() -> {
            assertThat(client.message("CsiDeployed")).contains("nowhere", "stays as it was");
            assertThat(client.containers())
                    .allSatisfy(container -> assertThat(DeployedClient.message(container, "CsiNodeServer"))
                            .contains("former template"));
        });
        giveTheManagerTime();
        assertThat(CsiObjects.versions(client.csi().nodeServers())).isEqualTo(servers);

        // What is on record is still the one that works.
        var lost = client.nodeServer(client.node(2));
        var before = lost.get();
        lost.delete();
        Eventually.assertThat(() -> {
            assertThat(lost.get()).isNotNull().matches(Pods::ready);
            assertThat(lost.get().getMetadata().getUid())
                    .isNotEqualTo(before.getMetadata().getUid());
            assertThat(lost.get().getMetadata().getAnnotations())
                    .isEqualTo(before.getMetadata().getAnnotations());
        });
        values().remove("nodeTemplate");
        client.awaitWhole();
        servers.remove("Pod " + before.getMetadata().getName());
        assertThat(CsiObjects.versions(client.csi().nodeServers())).containsAllEntriesOf(servers);
    }

    /** A template that has no such volume, which only the API server knows. */
    private static Map<String, Object> mounting(String volume) {
        return Map.of(
                "spec",
                Map.of(
                        "containers",
                        List.of(Map.of(
                                "name",
                                "driver",
                                "image",
                                "driver:1",
                                "securityContext",
                                Map.of("privileged", true),
                                "volumeMounts",
                                List.of(Map.of("name", volume, "mountPath", "/data"))))));
    }

    @Test
    void aNodeThatDoesNotAnswerKeepsNoOtherFromAnotherImage() {
        var client = whole(3);
        String lost = client.nodeServer(client.node(1)).get().getMetadata().getName();
        PLANE.get().nodes().failing(client.node(1));
        PLANE.get().kubelet().hurt(lost);
        PLANE.get().kubelet().delay(lost);
        Eventually.assertThat(() ->
                assertThat(Pods.ready(client.nodeServer(client.node(1)).get())).isFalse());

        values().put("image", "driver:3");

        awaitServers(client, 2, "driver:3");
        Eventually.assertThat(() -> assertThat(client.message("CsiDeployed")).doesNotContain("former template"));
        PLANE.get().kubelet().heal(lost);
        PLANE.get().kubelet().hurry(lost);
        PLANE.get().nodes().recovered(client.node(1));
        client.awaitWhole();
        awaitServers(client, 3, "driver:3");
    }

    private static void awaitServers(DeployedClient client, int count, String image) {
        Eventually.assertThat(() -> assertThat(client.csi().nodeServers())
                .hasSize(3)
                .filteredOn(server -> Pods.image(server).equals(image))
                .hasSize(count));
    }

    /** Something else of the same client is restored meanwhile. */
    private void giveTheManagerTime() {
        var client = deployed.getFirst();
        client.csi().direct().delete();
        Eventually.assertThat(() -> assertThat(client.csi().direct().get()).isNotNull());
    }

    @Test
    void classesMayBeLeftOutAndHaveOtherParameters() {
        var client = whole(1);

        values().put("storageClassCreationDisabled", true);
        Eventually.assertThat(() -> {
            assertThat(client.csi().storageClass().get()).isNull();
            assertThat(client.csi().direct().get()).isNull();
        });
        values().put("filesystemName", "fast").remove("storageClassCreationDisabled");
        Eventually.assertThat(() ->
                assertThat(client.csi().storageClass("fast-mountdirect").get()).isNotNull());
        assertThat(client.csi().storageClass("fast").get().getParameters()).containsEntry("filesystemName", "fast");
        assertThat(client.csi().storageClass().get()).isNull();

        values().put("storageClassParameters", Map.of("pool", "ssd"));
        Eventually.assertThat(
                () -> assertThat(client.csi().storageClass("fast").get().getParameters())
                        .isEqualTo(Map.of("pool", "ssd")));
    }

    @Test
    void topologyStaysWhileAClientDoesNotRunIfItIsAskedFor() {
        var client = whole(1);
        String pod = client.pod(client.node(1)).get().getMetadata().getName();
        PLANE.get().kubelet().hurt(pod);
        Eventually.assertThat(
                () -> assertThat(client.csi().topology(client.node(1))).isEmpty());

        values().put("preventNewWorkloadOnClientContainerNotRunning", false);

        Eventually.assertThat(
                () -> assertThat(client.csi().topology(client.node(1))).containsEntry("accessible", "true"));
        PLANE.get().kubelet().heal(pod);
    }

    @Test
    void aNamespaceThatIsMissingIsToldUntilItIsThere() {
        values().put("namespace", "not-there-yet");
        var client = DeployedClient.nothing(PLANE.get(), 1).apply(spec -> {});
        deployed.add(client);
        Eventually.assertThat(() -> {
            assertThat(client.condition("CsiDeployed")).isEqualTo("False");
            assertThat(client.message("CsiDeployed")).contains("not-there-yet");
        });

        PLANE.get().makeNamespace("not-there-yet");

        client.awaitDeployed();
    }

    @Test
    void whatSomebodyElseHasMadeIsTakenOverIfItIsAskedFor() {
        var client = DeployedClient.nothing(PLANE.get(), 1);
        deployed.add(client);
        PLANE.get()
                .client()
                .resource(new CSIDriverBuilder()
                        .withNewMetadata()
                        .withName(client.driverName())
                        .endMetadata()
                        .withNewSpec()
                        .withAttachRequired(false)
                        .endSpec()
                        .build())
                .create();
        client.apply(spec -> {}).awaitRefusal("NotOurs");

        values().put("adopt", true);

        client.awaitWhole();
        assertThat(client.csi().driverObject().get().getSpec().getAttachRequired())
                .isTrue();
    }

    private static Map<String, Object> withOwnAccount(String image) {
        return Map.of(
                "spec",
                Map.of(
                        "serviceAccountName",
                        "default",
                        "containers",
                        List.of(Map.of(
                                "name", "wekafs", "image", image, "securityContext", Map.of("privileged", true)))));
    }

    private static List<String> access(DeployedClient client) {
        return client.csi().objects().stream()
                .map(HasMetadata::getKind)
                .filter(kind -> kind.endsWith("Account") || kind.endsWith("Role") || kind.endsWith("Binding"))
                .toList();
    }

    @Test
    void anAccountStaysUntilNoNodeServerHasItAnyMore() {
        var client = whole(2);
        var before = access(client);

        values().put("controllerTemplate", withOwnAccount("driver:2"))
                .put("nodeTemplate", withOwnAccount(PlayedKubelet.BROKEN + ":2"));
        Eventually.assertThat(() -> assertThat(client.csi().nodeServers())
                .extracting(pod -> pod.getSpec().getServiceAccountName())
                .contains("default")
                .hasSize(2)
                .doesNotHaveDuplicates());
        // The class is restored meanwhile, so the manager had the time.
        client.csi().direct().delete();
        Eventually.assertThat(() -> assertThat(client.csi().direct().get()).isNotNull());
        assertThat(access(client)).isEqualTo(before).contains("ServiceAccount", "ClusterRoleBinding");

        values().put("nodeTemplate", withOwnAccount("driver:2"));

        Eventually.assertThat(() -> assertThat(access(client)).isEmpty());
        client.awaitWhole();
    }
}
