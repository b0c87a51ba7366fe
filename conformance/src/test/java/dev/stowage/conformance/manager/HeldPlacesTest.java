package dev.stowage.conformance.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    @Test
    void aNodeWhoseTaintIsNotToleratedAnyMoreKeepsTheDriverUntilItIsDrained() {
        var deployed = holdingMounts(spec -> tolerate(spec, List.of(Map.of("key", "storage", "operator", "Exists"))));
        client().resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(on(deployed).node())
                        .endMetadata()
                        .withNewSpec()
                        .addNewTaint("NoExecute", "storage", null, "yes")
                        .endSpec()
                        .build())
                .create();
        on(deployed).runDriver();
        var user = user(deployed);
        deployed.edit(spec -> tolerate(spec, List.of()));

        awaitWaiting(deployed);
        assertThat(tolerations(deployed)).contains("storage");

        drain(deployed, user);
        deployed.awaitSynced(UNTIL_IT_LOOKS_AGAIN);
        assertThat(tolerations(deployed)).doesNotContain("storage");
    }

    @SuppressWarnings("unchecked") // templates are maps
    private static void tolerate(Map<String, Object> spec, List<Object> tolerations) {
        var template = (Map<String, Object>) Objects.requireNonNull(spec.get("driverPerNodeTemplate"));
        var pod = new HashMap<>((Map<String, Object>) Objects.requireNonNull(template.get("spec")));
        pod.put("tolerations", tolerations);
        spec.put("driverPerNodeTemplate", Map.of("spec", pod));
    }

    private static List<String> tolerations(Deployed deployed) {
        return deployed.node().get().getSpec().getTemplate().getSpec().getTolerations().stream()
                .map(Toleration::getKey)
                .toList();
    }

    @Test
    void aDriverThatIsTakenOverLeavesNoNodeBeforeItIsDrained() {
        var byHand = ByHand.prepared(client());
        var where = byHand.where();
        // The pods that are there before have one already.
        on(where).makeAccount();
        var set = byHand.nodes();
        var taken = client().apps()
                .daemonSets()
                .inNamespace(where.namespace())
                .withName(set.getMetadata().getName());
        var nodes = PlayedDaemonSet.of(client(), taken);
        nodes.runEverywhere();
        var last = new OnNode(client(), where, nodes.lastNode());
        String volume = "held-in-" + where.namespace();
        last.makeVolume(volume);
        var user = last.mount(volume);

        where.apply(spec -> {
            spec.put("holdsMounts", true);
            spec.put("adoption", "Consent");
            spec.put("adopt", Map.of("daemonSet", set.getMetadata().getName()));
            spec.put("nodeSelector", Map.of("tier", "one"));
        });

        Eventually.assertThat(() -> assertThat(where.message("SyncSuccessful"))
                .contains("node " + nodes.lastNode(), "pod %s/%s".formatted(where.namespace(), volume))
                .doesNotContain(nodes.firstNode()));
        assertThat(taken.get().getSpec()).isEqualTo(set.getSpec());
        assertThat(where.status().children())
                .noneMatch(child -> child.resource().equals("daemonsets"));

        drain(where, user);
        where.awaitSynced(UNTIL_IT_LOOKS_AGAIN);
        assertThat(taken.get().getSpec().getTemplate().getSpec().getNodeSelector())
                .containsEntry("tier", "one");
    }

    @Test
    void aPodBesideAClientThatLostItsLabelsGetsThemAgainAndStays() {
        var deployed = holdingMounts(spec -> spec.put("besidePods", BESIDE));
        on(deployed).makeClient();
        Eventually.assertThat(() -> assertThat(driverPods(deployed)).hasSize(1));
        var driver = driverPods(deployed).getFirst();
        on(deployed).bind(driver);
        user(deployed);

        var pod = client().pods()
                .inNamespace(deployed.namespace())
                .withName(driver.getMetadata().getName());
        pod.edit(found -> {
            found.getMetadata().setLabels(Map.of("somebody", "else"));
            return found;
        });

        Eventually.assertThat(() -> assertThat(pod.get().getMetadata().getLabels())
                .containsAllEntriesOf(driver.getMetadata().getLabels())
                .containsEntry("somebody", "else"));
        assertThat(pod.get().getMetadata().getUid())
                .isEqualTo(driver.getMetadata().getUid());
        assertThat(pod.get().getMetadata().getDeletionTimestamp()).isNull();
    }
}
