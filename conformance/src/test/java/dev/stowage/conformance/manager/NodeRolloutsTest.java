package dev.stowage.conformance.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Child;
import dev.stowage.kube.csidriver.CsiDriverDeployment.NodeStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** New templates for nodes, and what becomes of those that do not work. */
class NodeRolloutsTest {

    @RegisterExtension
    static final Lasting<ManagedPlane> PLANE =
            Lasting.forTheClass(ManagedPlane.class, () -> ManagedPlane.withManager("--rollout-deadline=2"));

    private static KubernetesClient client() {
        return PLANE.get().client();
    }

    private final Deployed deployed = Deployed.whole(client());
    private final PlayedDaemonSet nodes = PlayedDaemonSet.of(client(), deployed.node());

    private void runEverywhere() {
        nodes.runEverywhere();
        awaitGood();
    }

    private void awaitGood() {
        Eventually.assertThat(() -> {
            assertThat(deployed.status().rolloutOrNone().lastGood()).isNotNull();
            assertThat(deployed.condition("Available")).isNotEmpty();
        });
    }

    /** Waits until the DaemonSet has it, and says that it was seen. */
    private void change(String image) {
        change(image, spec -> {});
    }

    private void change(String image, Consumer<Map<String, Object>> more) {
        deployed.edit(spec -> {
            spec.put("driverPerNodeTemplate", Deployed.nodeTemplate(image));
            more.accept(spec);
        });
        awaitImage(image);
        nodes.observe();
    }

    private void awaitImage(String image) {
        Eventually.assertThat(() -> assertThat(image()).isEqualTo(image));
    }

    /** The manager looks again after a minute at the latest, and at once when something happens. */
    private void awaitReturn() {
        Eventually.assertThat(() -> {
            deployed.resource().edit(found -> {
                String second = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
                found.getMetadata().getAnnotations().put("looked-at", second);
                return found;
            });
            assertThat(image()).isEqualTo("driver:1");
        });
    }

    private String image() {
        var set = deployed.node().get();
        return set == null
                ? ""
                : set.getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .getFirst()
                        .getImage();
    }

    private String reason() {
        return Objects.requireNonNull(deployed.status().conditions()).stream()
                .filter(condition -> condition.type().equals("Progressing"))
                .map(condition -> String.valueOf(condition.reason()))
                .findFirst()
                .orElse("");
    }

    @Test
    void aTemplateForWhichThereIsNoPlaceOnANodeIsTakenBack() {
        runEverywhere();
        change("driver:2");

        nodes.end(nodes.firstNode());
        nodes.leaveWaiting(nodes.firstNode());

        Eventually.assertThat(() -> assertThat(deployed.status().nodes())
                .filteredOn(node -> node.name().equals(nodes.firstNode()))
                .extracting(NodeStatus::message)
                .containsExactly("there is no place for it: Insufficient memory"));
        awaitReturn();
        Eventually.assertThat(() -> assertThat(deployed.message("Progressing"))
                .contains("node " + nodes.firstNode() + ": there is no place for it: Insufficient memory"));
    }

    @Test
    void aTemplateOfWhichKubernetesCanMakeNoPodIsTakenBack() {
        runEverywhere();
        change("driver:2");

        nodes.end(nodes.firstNode());

        awaitReturn();
        Eventually.assertThat(() -> assertThat(deployed.message("Progressing")).contains("1 of 2 nodes have no pod"));
        // The next one has its own time.
        change("driver:3");
        Eventually.assertThat(() -> assertThat(
                        Objects.requireNonNull(deployed.status().rolloutOrNone().missing())
                                .of())
                .isEqualTo(deployed.node().get().getMetadata().getAnnotations().get("storage.stowage.dev/template")));
        nodes.run(nodes.firstNode(), PlayedDaemonSet.ready());
        Eventually.assertThat(
                () -> assertThat(deployed.status().rolloutOrNone().missing()).isNull());
        assertThat(image()).isEqualTo("driver:3");
    }

    @Test
    void aRefusedTemplateDoesNotComeBackWithADaemonSetThatSomebodyDeletes() {
        refuse("driver:2");
        Idleness.assertThatItWritesNothing(PLANE.get().manager());
        String before = deployed.node().get().getMetadata().getUid();

        deployed.node().delete();

        Eventually.assertThat(() -> assertThat(deployed.node().get()).isNotNull());
        assertThat(deployed.node().get().getMetadata().getUid()).isNotEqualTo(before);
        assertThat(image()).isEqualTo("driver:1");
        assertThat(reason()).isEqualTo("RolledBack");
    }

    private void refuse(String image) {
        runEverywhere();
        change(image);
        nodes.end(nodes.firstNode());
        nodes.run(nodes.firstNode(), PlayedDaemonSet.hopeless());
        awaitImage("driver:1");
        Eventually.assertThat(() -> assertThat(reason()).isEqualTo("RolledBack"));
        nodes.runEverywhere();
    }

    @Test
    void whatWasAskedForIsNotDoneWhileTheLastGoodTemplateIsUsed() {
        runEverywhere();
        var before = deployed.status().observedGeneration();
        refuse("driver:2");

        Eventually.assertThat(() -> {
            assertThat(deployed.condition("SyncSuccessful")).isEqualTo("False");
            assertThat(deployed.message("SyncSuccessful"))
                    .startsWith("the wanted template for nodes does not work, the last good one is used: node "
                            + nodes.firstNode());
        });
        assertThat(deployed.resource().get().getMetadata().getGeneration()).isGreaterThan(before);

        change("driver:3");
        nodes.runEverywhere();
        deployed.awaitSynced();
    }

    @Test
    void aRefusedTemplateIsForgottenWithTheDaemonSet() {
        refuse("driver:2");
        deployed.edit(spec ->
                spec.put("besidePods", Map.of("selector", Map.of("matchLabels", Map.of("app", "client")))));
        Eventually.assertThat(() -> assertThat(deployed.node().get()).isNull());
        client().pods().inNamespace(deployed.namespace()).withGracePeriod(0).delete();

        deployed.awaitSynced();
        assertThat(deployed.status().rolloutOrNone().refused()).isNull();
    }

    @Test
    void whatComesAfterARefusedTemplateIsOnItsWayAndNotTakenBack() {
        refuse("driver:2");

        change("driver:3");

        Eventually.assertThat(() -> assertThat(reason()).isEqualTo("FormerTemplate"));
        assertThat(deployed.status().rolloutOrNone().refused()).isNull();
    }

    @Test
    void aNodeIsOpenedForATemplateThatCannotComeThroughTheGate() {
        runEverywhere();
        change("driver:2", spec -> spec.put("holdsMounts", true));
        awaitClosed(true);
        awaitTheEnd();
        nodes.end(nodes.firstNode());

        nodes.run(nodes.firstNode(), PlayedDaemonSet.hopeless());
        awaitImage("driver:1");
        nodes.observe();
        // As long as it has not ended, the node stays as it is.
        awaitTheEnd();
        assertThat(nodes.isClosed(nodes.firstNode())).isTrue();
        nodes.end(nodes.firstNode());

        awaitClosed(false);
        assertThat(deployed.status().rolloutOrNone().restarting()).isEqualTo(nodes.firstNode());
        nodes.run(nodes.firstNode(), PlayedDaemonSet.ready());
        Eventually.assertThat(
                () -> assertThat(deployed.status().rolloutOrNone().restarting()).isNull());
        assertThat(deployed.node().get().getSpec().getTemplate().getSpec().getTolerations())
                .isEmpty();
    }

    private void awaitClosed(boolean closed) {
        Eventually.assertThat(
                () -> assertThat(nodes.isClosed(nodes.firstNode())).isEqualTo(closed));
    }

    /** Of the driver on the first node. */
    private void awaitTheEnd() {
        Eventually.assertThat(() -> assertThat(nodes.pods(nodes.firstNode()))
                .allSatisfy(pod ->
                        assertThat(pod.getMetadata().getDeletionTimestamp()).isNotNull()));
    }

    @Test
    void aDeploymentThatMakesNoSenseAnyMoreKeepsNoNodeClosed() {
        runEverywhere();
        change("driver:2", spec -> spec.put("holdsMounts", true));
        awaitClosed(true);

        deployed.edit(spec -> spec.put("driverSocket", "not-absolute"));

        awaitClosed(false);
        Eventually.assertThat(
                () -> assertThat(deployed.status().rolloutOrNone().restarting()).isNull());
        assertThat(deployed.condition("SyncSuccessful")).isEqualTo("False");
    }

    private void nameAccount(Map<String, Object> spec, String... templates) {
        for (String template : templates) {
            spec.put(
                    template,
                    Map.of(
                            "spec",
                            Map.of(
                                    "serviceAccountName",
                                    "mine",
                                    "containers",
                                    List.of(Map.of(
                                            "name",
                                            "csi-driver",
                                            "image",
                                            "driver:2",
                                            "securityContext",
                                            Map.of("privileged", true))))));
        }
    }

    /** Of the account that is made for the driver, with all that it may do. */
    private List<String> access() {
        String ours = CsiDriverDeployment.OWNER_NAMESPACE;
        String namespace = deployed.namespace();
        var rbac = client().rbac();
        return Stream.of(
                        client().serviceAccounts()
                                .inNamespace(namespace)
                                .withLabel(ours)
                                .list()
                                .getItems(),
                        rbac.roles()
                                .inNamespace(namespace)
                                .withLabel(ours)
                                .list()
                                .getItems(),
                        rbac.roleBindings()
                                .inNamespace(namespace)
                                .withLabel(ours)
                                .list()
                                .getItems(),
                        rbac.clusterRoles().withLabel(ours, namespace).list().getItems(),
                        rbac.clusterRoleBindings()
                                .withLabel(ours, namespace)
                                .list()
                                .getItems())
                .flatMap(List::stream)
                .map(HasMetadata::getKind)
                .toList();
    }

    private void makeAccount() {
        client().resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace(deployed.namespace())
                        .withName("mine")
                        .endMetadata()
                        .build())
                .create();
    }

    private void awaitControllersImage(String image) {
        Eventually.assertThat(() -> assertThat(deployed.controller()
                        .get()
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .getFirst()
                        .getImage())
                .isEqualTo(image));
    }

    /** All pods of the controller are those of the template of now. */
    private void rollControllerOut() {
        Eventually.assertThat(() -> deployed.controller().editStatus(found -> {
            found.setStatus(new DeploymentStatusBuilder()
                    .withObservedGeneration(found.getMetadata().getGeneration())
                    .withReplicas(1)
                    .withUpdatedReplicas(1)
                    .withReadyReplicas(1)
                    .withAvailableReplicas(1)
                    .build());
            return found;
        }));
    }

    private static final String[] ALL = {"ServiceAccount", "Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding"};

    @Test
    void theAccountOfATemplateThatComesBackWasNeverTakenAway() {
        runEverywhere();
        rollControllerOut();
        // Which is not there, so that Kubernetes can make no pod of it.
        deployed.edit(spec -> nameAccount(spec, "driverPerNodeTemplate", "driverControllerTemplate"));
        awaitImage("driver:2");
        nodes.observe();
        deployed.awaitSynced();
        assertThat(access()).containsExactlyInAnyOrder(ALL);

        nodes.end(nodes.firstNode());

        awaitReturn();
        nodes.runEverywhere();
        Eventually.assertThat(() -> assertThat(reason()).isEqualTo("RolledBack"));
        Idleness.assertThatItWritesNothing(PLANE.get().manager());
        assertThat(access()).containsExactlyInAnyOrder(ALL);
        assertThat(deployed.status().children()).extracting(Child::resource).contains("serviceaccounts");
    }

    @Test
    void anAccountGoesWhenNobodyHasItAnyMore() {
        runEverywhere();
        rollControllerOut();
        makeAccount();
        deployed.edit(spec -> {
            nameAccount(spec, "driverPerNodeTemplate", "driverControllerTemplate");
            spec.put("nodeUpdateStrategy", "OnDelete");
        });
        awaitImage("driver:2");
        awaitControllersImage("driver:2");
        rollControllerOut();
        nodes.observe();
        nodes.end(nodes.firstNode());
        nodes.run(nodes.firstNode(), PlayedDaemonSet.ready());
        Eventually.assertThat(() -> assertThat(deployed.message("Progressing")).endsWith(": " + nodes.lastNode()));
        assertThat(access()).containsExactlyInAnyOrder(ALL);

        nodes.runEverywhere();

        Eventually.assertThat(() -> assertThat(access()).isEmpty());
        deployed.awaitSynced();
    }

    @Test
    void aControllerThatStaysUntilTheNextOneWorksKeepsItsRightsUntilThen() {
        runEverywhere();
        rollControllerOut();
        makeAccount();
        deployed.edit(spec -> nameAccount(spec, "driverControllerTemplate"));
        awaitControllersImage("driver:2");
        deployed.awaitSynced();
        assertThat(access()).containsExactlyInAnyOrder(ALL);

        rollControllerOut();

        Eventually.assertThat(() -> assertThat(access()).containsExactly("ServiceAccount"));
    }
}
