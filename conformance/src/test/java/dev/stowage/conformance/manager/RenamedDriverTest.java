package dev.stowage.conformance.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.csidriver.CsiDriverDeployment.NodeStatus;
import io.fabric8.kubernetes.api.model.storage.CSIDriver;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A driver is to be called otherwise, while nodes have volumes of the name that it has. */
class RenamedDriverTest {

    @RegisterExtension
    static final Lasting<ManagedPlane> PLANE = Lasting.forTheRun(ManagedPlane.class, ManagedPlane::withManager);

    /** Nobody tells the manager of a volume that is let go. It looks every minute at the latest. */
    private static final Duration UNTIL_IT_LOOKS_AGAIN = Duration.ofMinutes(3);

    private static KubernetesClient client() {
        return PLANE.get().client();
    }

    private static Deployed deployed(Consumer<Map<String, Object>> change) {
        return Deployed.nothing(client()).apply(change).awaitSynced();
    }

    private static String newName(Deployed deployed) {
        return deployed.namespace() + ".example.org";
    }

    private static Resource<CSIDriver> renamed(Deployed deployed) {
        return client().storage().v1().csiDrivers().withName(newName(deployed));
    }

    private static void rename(Deployed deployed) {
        deployed.edit(spec -> spec.put("driverName", newName(deployed)));
    }

    private static OnNode on(Deployed deployed) {
        return new OnNode(client(), deployed, "node-of-" + deployed.namespace());
    }

    private static String reason(Deployed deployed) {
        return Objects.requireNonNull(deployed.status().conditions()).stream()
                .filter(condition -> condition.type().equals("SyncSuccessful"))
                .map(condition -> String.valueOf(condition.reason()))
                .findFirst()
                .orElse("");
    }

    /** Nothing is touched, and what it waits for is told. */
    private static void assertThatItWaits(Deployed deployed, String volume) {
        var before = deployed.node().get();

        rename(deployed);

        Eventually.assertThat(() -> assertThat(reason(deployed)).isEqualTo("RenameWaits"));
        assertThat(deployed.message("SyncSuccessful"))
                .contains(
                        "volumes of " + deployed.driverName(),
                        volume + " on " + on(deployed).node());
        Eventually.assertThat(() -> assertThat(deployed.events())
                .filteredOn(event -> event.getReason().equals("RenameWaits"))
                .singleElement()
                .satisfies(event -> assertThat(event.getMessage()).contains(volume)));
        assertThat(deployed.driver().get()).isNotNull();
        assertThat(renamed(deployed).get()).isNull();
        assertThat(deployed.node().get().getSpec()).isEqualTo(before.getSpec());
    }

    private static void assertRenamed(Deployed deployed) {
        deployed.awaitSynced(UNTIL_IT_LOOKS_AGAIN);
        assertThat(renamed(deployed).get()).isNotNull();
        assertThat(deployed.driver().get()).isNull();
    }

    @Test
    void oneThatHoldsMountsKeepsItsNameUntilItsVolumesAreLetGo() {
        var deployed = deployed(spec -> spec.put("holdsMounts", true));
        String volume = "held-in-" + deployed.namespace();
        String attachment = on(deployed).attach(volume);

        assertThatItWaits(deployed, volume);

        on(deployed).detach(attachment);
        assertRenamed(deployed);
    }

    @Test
    void oneWhoseVolumesAreProtectedKeepsItsNameUntilTheyAreLetGo() {
        var deployed = deployed(spec -> spec.put("protectVolumes", true));
        String volume = "protected-in-" + deployed.namespace();
        String attachment = on(deployed).attach(volume);

        assertThatItWaits(deployed, volume);

        on(deployed).detach(attachment);
        assertRenamed(deployed);
    }

    @Test
    void oneThatGetsItsFormerNameBackGoesOn() {
        var deployed = deployed(spec -> spec.put("protectVolumes", true));
        String volume = "kept-in-" + deployed.namespace();
        on(deployed).attach(volume);
        assertThatItWaits(deployed, volume);

        deployed.edit(spec -> spec.put("driverName", deployed.driverName())).awaitSynced();

        assertThat(deployed.driver().get()).isNotNull();
    }

    @Test
    void anyOtherIsRenamedAtOnce() {
        var deployed = deployed(spec -> {});
        on(deployed).attach("left-in-" + deployed.namespace());

        rename(deployed);

        assertRenamed(deployed);
    }

    @Test
    void whereTheFormerNameStillRunsAndGetsAVolumeItIsNotRestarted() {
        var deployed = deployed(spec -> spec.put("holdsMounts", true));
        var nodes = PlayedDaemonSet.of(client(), deployed.node());
        nodes.runEverywhere();
        Eventually.assertThat(
                () -> assertThat(deployed.status().rolloutOrNone().lastGood()).isNotNull());
        var former = deployed.node().get().getSpec().getTemplate();
        rename(deployed);
        Eventually.assertThat(
                () -> assertThat(deployed.node().get().getSpec().getTemplate()).isNotEqualTo(former));
        // Nobody is there to bring the new one to the first node yet, and the last one has to wait for that.
        var last = new OnNode(client(), deployed, nodes.lastNode());
        String volume = "late-in-" + deployed.namespace();
        last.makeVolume(volume);
        last.mount(volume);
        var held = nodes.pods(nodes.lastNode()).getFirst();

        nodes.play();

        Eventually.assertThat(() -> assertThat(deployed.status().nodes())
                .filteredOn(node -> node.name().equals(nodes.lastNode()))
                .extracting(NodeStatus::message)
                .containsExactly("has to be drained: pod %s/%s".formatted(deployed.namespace(), volume)));
        Eventually.assertThat(() -> assertThat(deployed.status().nodes())
                .filteredOn(NodeStatus::current)
                .extracting(NodeStatus::name)
                .containsExactly(nodes.firstNode()));
        assertThat(nodes.pods(nodes.lastNode())).containsExactly(held);
        nodes.close();
    }
}
