package dev.stowage.conformance.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.csidriver.CsiDriverDeployment.NodeStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
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
}
