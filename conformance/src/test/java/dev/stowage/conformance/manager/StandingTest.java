package dev.stowage.conformance.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.csidriver.CsiDriverDeployment.NodeStatus;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is told of a driver that runs while nobody may change it. */
class StandingTest {

    private static final String AVAILABLE = "Available";

    @RegisterExtension
    static final Lasting<ManagedPlane> PLANE = Lasting.forTheRun(ManagedPlane.class, ManagedPlane::withManager);

    private static KubernetesClient client() {
        return PLANE.get().client();
    }

    private final Deployed deployed = Deployed.nothing(client())
            .apply(spec -> spec.remove("driverControllerTemplate"))
            .awaitSynced();
    private final PlayedDaemonSet nodes = PlayedDaemonSet.of(client(), deployed.node());

    @BeforeEach
    void run() {
        nodes.runEverywhere();
        awaitAvailable("True", "all its pods run");
    }

    private void awaitAvailable(String value, String message) {
        Eventually.assertThat(() -> {
            assertThat(deployed.condition(AVAILABLE)).isEqualTo(value);
            assertThat(deployed.message(AVAILABLE)).isEqualTo(message);
        });
    }

    private List<String> known() {
        return Objects.requireNonNull(deployed.status().nodes()).stream()
                .map(NodeStatus::name)
                .toList();
    }

    private void assertItIsToldHowItRuns() {
        nodes.end(nodes.firstNode());
        awaitAvailable("False", "1 of 2 nodes run csi-hostpath-node");
        Eventually.assertThat(() -> assertThat(known()).containsExactly(nodes.lastNode()));

        nodes.run(nodes.firstNode(), PlayedDaemonSet.ready());
        awaitAvailable("True", "all its pods run");
        Eventually.assertThat(() -> assertThat(known()).containsExactly(nodes.firstNode(), nodes.lastNode()));
        assertThat(deployed.condition("Progressing")).isEqualTo("False");
    }

    @Test
    void aDriverWhoseDeploymentIsRefusedIsToldOfAndTheRefusalOnlyOnce() {
        deployed.edit(spec -> spec.put("driverSocket", "nowhere"));
        Eventually.assertThat(
                () -> assertThat(deployed.message("SyncSuccessful")).contains("spec.driverSocket"));

        assertItIsToldHowItRuns();
        deployed.node().delete();
        awaitAvailable("False", "DaemonSet csi-hostpath-node is gone, or has lost its labels");

        assertThat(deployed.condition("SyncSuccessful")).isEqualTo("False");
        assertThat(deployed.events().stream().filter(event -> event.getReason().equals("Invalid")))
                .singleElement()
                .extracting(Event::getCount)
                .isIn(null, 1);
    }

    @Test
    void aDriverThatIsNotManagedIsToldOf() {
        deployed.edit(spec -> spec.put("managementState", "Unmanaged"));
        Eventually.assertThat(() -> assertThat(deployed.status().state()).isEqualTo("Unmanaged"));

        assertItIsToldHowItRuns();
    }

    @Test
    void ofADriverThatWasNeverDeployedNothingIsTold() {
        var refused = Deployed.nothing(client()).apply(spec -> spec.put("driverSocket", "nowhere"));

        Eventually.assertThat(
                () -> assertThat(refused.message("SyncSuccessful")).contains("spec.driverSocket"));

        assertThat(refused.condition(AVAILABLE)).isEmpty();
    }

    @Test
    void aRegistrationUnderTheFormerNameCountsWhileAnotherNameWaits() {
        var node = new OnNode(client(), deployed, nodes.firstNode());
        node.register(deployed.driverName());
        Eventually.assertThat(() -> assertThat(deployed.status().nodes())
                .filteredOn(NodeStatus::registered)
                .extracting(NodeStatus::name)
                .containsExactly(nodes.firstNode()));
        node.makeVolume("held-in-" + deployed.namespace());
        node.mount("held-in-" + deployed.namespace());

        deployed.edit(spec -> spec.putAll(Map.of("driverName", "other.example.com", "holdsMounts", true)));
        Eventually.assertThat(
                () -> assertThat(deployed.message("SyncSuccessful")).contains(deployed.driverName()));

        nodes.end(nodes.lastNode());
        awaitAvailable("False", "1 of 2 nodes run csi-hostpath-node");
        assertThat(deployed.status().nodes())
                .filteredOn(NodeStatus::registered)
                .extracting(NodeStatus::name)
                .containsExactly(nodes.firstNode());
    }
}
