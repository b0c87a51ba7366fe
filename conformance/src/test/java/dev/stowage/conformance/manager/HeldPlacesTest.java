package dev.stowage.conformance.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A driver whose processes hold mounts is to run elsewhere, while a pod has a volume of it where it runs. */
class HeldPlacesTest {

    @RegisterExtension
    static final Lasting<ManagedPlane> PLANE = Lasting.forTheRun(ManagedPlane.class, ManagedPlane::withManager);

    private static KubernetesClient client() {
        return PLANE.get().client();
    }

    /** Nobody tells the manager that a node is drained. It looks every minute at the latest. */
    private static final Duration UNTIL_IT_LOOKS_AGAIN = Duration.ofMinutes(3);

    private static final Map<String, Object> BESIDE =
            Map.of("selector", Map.of("matchLabels", Map.of("app", "client")));

    private static Deployed holdingMounts(Consumer<Map<String, Object>> more) {
        return Deployed.nothing(client())
                .apply(spec -> {
                    spec.put("holdsMounts", true);
                    more.accept(spec);
                })
                .awaitSynced();
    }

    private static OnNode on(Deployed deployed) {
        return new OnNode(client(), deployed, "node-of-" + deployed.namespace());
    }

    /** A pod on the node of the driver, which has a volume of it. */
    private static Pod user(Deployed deployed) {
        String volume = "held-in-" + deployed.namespace();
        on(deployed).makeVolume(volume);
        return on(deployed).mount(volume);
    }

    private static List<Pod> driverPods(Deployed deployed) {
        return client().pods()
                .inNamespace(deployed.namespace())
                .withLabel(CsiDriverDeployment.OWNER_NAME, Deployed.NAME)
                .list()
                .getItems();
    }

    /** And has the manager look at once, which it would do by itself. */
    private static void drain(Deployed deployed, Pod user) {
        on(deployed).unmount(user);
        Eventually.assertThat(() -> assertThat(client().resource(user).get()).isNull());
        deployed.resource().edit(found -> {
            found.getMetadata().setAnnotations(Map.of("example.com/drained", "yes"));
            return found;
        });
    }

    private static void awaitWaiting(Deployed deployed) {
        Eventually.assertThat(() -> {
            assertThat(deployed.condition("SyncSuccessful")).isEqualTo("False");
            assertThat(deployed.message("SyncSuccessful"))
                    .contains(
                            on(deployed).node(),
                            "pod %s/held-in-%s".formatted(deployed.namespace(), deployed.namespace()));
        });
    }

    @Test
    void onEveryNodeStaysUntilTheNodesAreDrainedAndThenItIsBesideClients() {
        var deployed = holdingMounts(spec -> {});
        on(deployed).runDriver();
        on(deployed).makeClient();
        var user = user(deployed);
        String before = deployed.node().get().getMetadata().getUid();
        deployed.edit(spec -> spec.put("besidePods", BESIDE));

        awaitWaiting(deployed);
        assertThat(deployed.node().get().getMetadata().getUid()).isEqualTo(before);
        assertThat(driverPods(deployed)).hasSize(1);
        assertThat(deployed.status().nodes())
                .singleElement()
                .satisfies(node -> assertThat(node.message()).contains("has to be drained"));

        drain(deployed, user);
        deployed.awaitSynced(UNTIL_IT_LOOKS_AGAIN);
        assertThat(deployed.node().get()).isNull();
        Eventually.assertThat(() -> assertThat(driverPods(deployed)).hasSize(2));
    }

    @Test
    void besideClientsStaysUntilTheNodesAreDrainedAndThenItIsOnEveryNode() {
        var deployed = holdingMounts(spec -> spec.put("besidePods", BESIDE));
        on(deployed).makeClient();
        Eventually.assertThat(() -> assertThat(driverPods(deployed)).hasSize(1));
        on(deployed).bind(driverPods(deployed).getFirst());
        var user = user(deployed);
        deployed.edit(spec -> spec.remove("besidePods"));

        awaitWaiting(deployed);
        assertThat(driverPods(deployed))
                .singleElement()
                .satisfies(pod ->
                        assertThat(pod.getMetadata().getDeletionTimestamp()).isNull());
        assertThat(deployed.node().get()).isNull();

        drain(deployed, user);
        deployed.awaitSynced(UNTIL_IT_LOOKS_AGAIN);
        assertThat(driverPods(deployed))
                .allSatisfy(pod ->
                        assertThat(pod.getMetadata().getDeletionTimestamp()).isNotNull());
        assertThat(deployed.node().get()).isNotNull();
    }

    @Test
    void aDaemonSetOfAnotherNameComesWhenTheNodesOfTheFormerAreDrained() {
        var deployed = holdingMounts(spec -> {});
        on(deployed).runDriver();
        var user = user(deployed);
        var other =
                client().apps().daemonSets().inNamespace(deployed.namespace()).withName("other");
        deployed.edit(spec -> spec.put("adopt", Map.of("daemonSet", "other")));

        awaitWaiting(deployed);
        assertThat(deployed.node().get()).isNotNull();
        assertThat(other.get()).isNull();

        on(deployed).unmount(user);
        deployed.awaitSynced(UNTIL_IT_LOOKS_AGAIN);
        assertThat(deployed.node().get()).isNull();
        assertThat(other.get()).isNotNull();
    }

    @Test
    void aNodeThatIsNotSelectedAnyMoreKeepsTheDriverUntilItIsDrained() {
        var deployed = holdingMounts(spec -> {});
        client().resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(on(deployed).node())
                        .addToLabels("tier", "one")
                        .endMetadata()
                        .build())
                .create();
        on(deployed).runDriver();
        var user = user(deployed);
        deployed.edit(spec -> spec.put("nodeSelector", Map.of("tier", "one"))).awaitSynced();
        assertThat(selector(deployed)).containsEntry("tier", "one");

        deployed.edit(spec -> spec.put("nodeSelector", Map.of("tier", "two")));
        awaitWaiting(deployed);
        assertThat(selector(deployed)).containsEntry("tier", "one");

        drain(deployed, user);
        deployed.awaitSynced(UNTIL_IT_LOOKS_AGAIN);
        assertThat(selector(deployed)).containsEntry("tier", "two");
    }

    private static Map<String, String> selector(Deployed deployed) {
        return deployed.node().get().getSpec().getTemplate().getSpec().getNodeSelector();
    }
}
