package dev.stowage.conformance.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A manager that dies with one of its writes for a deployment, and another that goes on; see {@link Kills}. */
class KilledManagerTest {

    /** Nobody tells the manager that a node is drained. It looks every minute at the latest. */
    private static final Duration UNTIL_IT_LOOKS_AGAIN = Duration.ofMinutes(3);

    /** Every change here takes more, or as many. */
    private static final int SURE_WRITES = 8;

    @RegisterExtension
    static final Lasting<ManagedPlane> PLANE = Lasting.forTheClass(ManagedPlane.class, ManagedPlane::withoutManager);

    private static KubernetesClient client() {
        return PLANE.get().client();
    }

    private static <S> void everywhere(
            Function<KubernetesClient, S> beginning, Consumer<S> change, Consumer<S> outcome) {
        new Kills(PLANE.get()).everywhere(SURE_WRITES, () -> beginning.apply(client()), change, outcome);
    }

    @Test
    void whatItWasMakingIsMadeWhole() {
        everywhere(Deployed::nothing, deployed -> deployed.apply(spec -> {}), deployed -> {
            deployed.awaitSynced();
            assertThat(deployed.status().children()).hasSize(10);
            assertThat(deployed.node().get()).isNotNull();
            assertThat(deployed.controller().get()).isNotNull();
        });
    }

    @Test
    void whatItWasChangingIsChanged() {
        everywhere(
                Deployed::whole,
                deployed -> deployed.edit(spec -> {
                    spec.remove("driverControllerTemplate");
                    spec.put("csiDriver", Map.of("attachRequired", false));
                    spec.put("nodeUpdateStrategy", "OnDelete");
                    spec.put(
                            "storageClassTemplates",
                            ((List<?>) Objects.requireNonNull(spec.get("storageClassTemplates"))).subList(0, 1));
                }),
                deployed -> {
                    deployed.awaitSynced();
                    assertThat(deployed.controller().get()).isNull();
                    assertThat(deployed.storageClass("one").get()).isNotNull();
                    Eventually.assertThat(
                            () -> assertThat(deployed.storageClass("two").get()).isNull());
                    assertThat(deployed.driver().get().getSpec().getAttachRequired())
                            .isFalse();
                    assertThat(deployed.node()
                                    .get()
                                    .getSpec()
                                    .getUpdateStrategy()
                                    .getType())
                            .isEqualTo("OnDelete");
                });
    }

    @Test
    void whatItWasRemovingIsGone() {
        everywhere(Deployed::whole, deployed -> deployed.resource().delete(), KilledManagerTest::assertGone);
    }

    private static void assertGone(Deployed deployed) {
        Eventually.assertThat(() -> assertThat(deployed.resource().get()).isNull());
        assertThat(deployed.node().get()).isNull();
        assertThat(deployed.controller().get()).isNull();
        assertThat(deployed.driver().get()).isNull();
        assertThat(deployed.storageClass("one").get()).isNull();
        assertThat(client().rbac()
                        .clusterRoles()
                        .withLabel("csidriver.storage.openshift.io/owner-namespace", deployed.namespace())
                        .list()
                        .getItems())
                .isEmpty();
    }

    private record Adopted(ByHand byHand, DaemonSet nodes, Deployment controller) {

        static Adopted notYet(KubernetesClient client) {
            var byHand = ByHand.prepared(client);
            return new Adopted(byHand, byHand.nodes(), byHand.controller());
        }
    }

    @Test
    void whatItWasTakingOverIsTakenOverAndNoPodRestarts() {
        everywhere(Adopted::notYet, adopted -> adopted.byHand().adopt(), adopted -> {
            var where = adopted.byHand().where().awaitSynced();
            var nodes = client().resource(adopted.nodes()).get();
            var controller = client().resource(adopted.controller()).get();
            assertThat(nodes.getMetadata().getLabels()).containsEntry(CsiDriverDeployment.OWNER_NAME, Deployed.NAME);
            assertThat(controller.getMetadata().getLabels())
                    .containsEntry(CsiDriverDeployment.OWNER_NAME, Deployed.NAME);
            assertThat(nodes.getSpec().getTemplate())
                    .isEqualTo(adopted.nodes().getSpec().getTemplate());
            assertThat(controller.getSpec().getTemplate())
                    .isEqualTo(adopted.controller().getSpec().getTemplate());
            assertThat(where.node().get()).isNull();
            assertThat(where.controller().get()).isNull();
            assertThat(where.status().children()).hasSize(10);
        });
    }

    /** A deployment whose removal waits for a volume. */
    private record Protected(Deployed deployed, OnNode on, String attachment) {

        static Protected volume(KubernetesClient client) {
            var deployed = Deployed.nothing(client)
                    .apply(spec -> spec.put("protectVolumes", true))
                    .awaitSynced();
            var on = new OnNode(client, deployed, "node-1");
            return new Protected(deployed, on, on.attach("pv-of-" + deployed.namespace()));
        }

        static Protected volumeOfWhatIsToGo(KubernetesClient client) {
            var waiting = volume(client);
            waiting.deployed.resource().delete();
            waiting.assertWaits();
            return waiting;
        }

        void assertWaits() {
            Eventually.assertThat(() -> assertThat(deployed.status().blockers()).hasSize(1));
            assertThat(deployed.node().get()).isNotNull();
            assertThat(deployed.controller().get()).isNotNull();
        }

        void detach() {
            on.detach(attachment);
        }
    }

    @Test
    void whatWasToWaitForAVolumeWaits() {
        // To tell of it is all that there is to write.
        new Kills(PLANE.get())
                .everywhere(
                        1,
                        () -> Protected.volume(client()),
                        waiting -> waiting.deployed().resource().delete(),
                        waiting -> {
                            waiting.assertWaits();
                            waiting.detach();
                            assertGone(waiting.deployed());
                        });
    }

    @Test
    void whatWaitedForAVolumeIsGone() {
        everywhere(Protected::volumeOfWhatIsToGo, Protected::detach, waiting -> assertGone(waiting.deployed()));
    }

    /** A driver that holds mounts, on two nodes. On the last a pod has a volume of it. */
    private record Holding(Deployed deployed, PlayedDaemonSet nodes, Pod user, Pod held) {

        static Holding mounts(KubernetesClient client) {
            var deployed = Deployed.nothing(client)
                    .apply(spec -> spec.put("holdsMounts", true))
                    .awaitSynced();
            var nodes = PlayedDaemonSet.of(client, deployed.node());
            nodes.runEverywhere();
            Eventually.assertThat(() ->
                    assertThat(deployed.status().rolloutOrNone().lastGood()).isNotNull());
            var last = new OnNode(client, deployed, nodes.lastNode());
            String volume = "held-in-" + deployed.namespace();
            last.makeVolume(volume);
            return new Holding(
                    deployed,
                    nodes,
                    last.mount(volume),
                    nodes.pods(nodes.lastNode()).getFirst());
        }

        /** Whether it has the new image there, and the node is open. */
        void assertNewOn(String node) {
            assertThat(nodes.pods(node))
                    .singleElement()
                    .satisfies(pod -> assertThat(
                                    pod.getSpec().getContainers().getFirst().getImage())
                            .isEqualTo("driver:2"));
            assertThat(nodes.isClosed(node)).isFalse();
        }
    }

    @Test
    void whereItWasRestartingADriverThatHoldsMountsItDoesSoAndNowhereElse() {
        everywhere(
                Holding::mounts,
                holding -> {
                    holding.nodes().play();
                    holding.deployed()
                            .edit(spec -> spec.put("driverPerNodeTemplate", Deployed.nodeTemplate("driver:2")));
                },
                holding -> {
                    var nodes = holding.nodes();
                    Eventually.assertThat(() -> {
                        holding.assertNewOn(nodes.firstNode());
                        assertThat(holding.deployed().status().rolloutOrNone().restarting())
                                .isNull();
                    });
                    assertThat(nodes.pods(nodes.lastNode())).containsExactly(holding.held());
                    assertThat(nodes.isClosed(nodes.lastNode())).isFalse();

                    new OnNode(client(), holding.deployed(), nodes.lastNode()).unmount(holding.user());
                    Eventually.assertThat(UNTIL_IT_LOOKS_AGAIN, () -> holding.assertNewOn(nodes.lastNode()));
                    nodes.close();
                });
    }
}
