package dev.stowage.conformance.manager.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.manager.Lasting;
import dev.stowage.conformance.pool.Eventually;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A new image comes to clients as their policy says. One that does not start shows how many got it at once. */
class UpgradingClientsTest {

    private static final String OLD = "client:1";
    private static final String NEW = "client:2";
    private static final String BAD = PlayedKubelet.BROKEN + ":2";

    @RegisterExtension
    static final Lasting<ClientsPlane> PLANE = ClientsPlane.shared();

    private static DeployedClient upgraded(String policy) {
        return DeployedClient.nothing(PLANE.get(), 3)
                .apply(spec -> spec.put("upgradePolicy", Map.of("type", policy)))
                .awaitWhole();
    }

    private static void change(DeployedClient deployed, String image) {
        deployed.edit(spec -> spec.put("image", image));
    }

    private static void awaitImages(DeployedClient deployed, String... images) {
        Eventually.assertThat(
                () -> assertThat(deployed.clientPods()).extracting(Pods::image).containsExactlyInAnyOrder(images));
    }

    /** Another client is made whole meanwhile, so the manager had the time. */
    private static void giveTheManagerTime() {
        DeployedClient.whole(PLANE.get(), 1);
    }

    @Test
    void rollingGoesOnOnlyWhenTheOneBeforeIsReady() {
        var deployed = DeployedClient.whole(PLANE.get(), 3);

        change(deployed, BAD);
        awaitImages(deployed, BAD, OLD, OLD);
        giveTheManagerTime();
        awaitImages(deployed, BAD, OLD, OLD);

        change(deployed, NEW);
        awaitImages(deployed, NEW, NEW, NEW);
        deployed.awaitWhole();
    }

    @Test
    void rollingGoesOnWhenTheOneThatIsNotReadyGoes() {
        var deployed = DeployedClient.whole(PLANE.get(), 3);
        change(deployed, BAD);
        awaitImages(deployed, BAD, OLD, OLD);

        PLANE.get().nodes().label(deployed.node(1), DeployedClient.POOL, null);

        Eventually.assertThat(() -> {
            assertThat(deployed.pod(deployed.node(1)).get()).isNull();
            assertThat(Pods.image(deployed.pod(deployed.node(2)).get())).isEqualTo(BAD);
        });
        awaitImages(deployed, BAD, OLD);
    }

    @Test
    void rollingPassesByANodeThatIsNotReady() {
        var deployed = DeployedClient.whole(PLANE.get(), 3);
        String lost = deployed.pod(deployed.node(1)).get().getMetadata().getName();
        PLANE.get().nodes().failing(deployed.node(1));
        PLANE.get().kubelet().hurt(lost);
        PLANE.get().kubelet().delay(lost);
        Eventually.assertThat(() ->
                assertThat(Pods.ready(deployed.pod(deployed.node(1)).get())).isFalse());

        change(deployed, NEW);

        awaitImages(deployed, OLD, NEW, NEW);
        PLANE.get().kubelet().heal(lost);
        PLANE.get().kubelet().hurry(lost);
        PLANE.get().nodes().recovered(deployed.node(1));
        awaitImages(deployed, NEW, NEW, NEW);
        deployed.awaitWhole();
    }

    @Test
    void whoIsNextTellsForWhomItWaitsAndGoesOnWhenTheNodeOfThatFails() {
        var deployed = DeployedClient.whole(PLANE.get(), 3);

        change(deployed, BAD);

        awaitImages(deployed, BAD, OLD, OLD);
        Eventually.assertThat(() -> {
            assertThat(whyItIsOld(deployed, 2))
                    .contains(deployed.pod(deployed.node(1)).get().getMetadata().getName(), deployed.node(1));
            assertThat(whyItIsOld(deployed, 3)).contains("others are replaced before it");
        });

        PLANE.get().nodes().failing(deployed.node(1));

        awaitImages(deployed, BAD, BAD, OLD);
        Eventually.assertThat(() -> assertThat(whyItIsOld(deployed, 3)).contains(deployed.node(2)));
    }

    private static String whyItIsOld(DeployedClient deployed, int node) {
        return DeployedClient.message(deployed.container(deployed.node(node)).orElseThrow(), "Running");
    }

    @Test
    void rollingIsWhatItIsCalledToo() {
        var deployed = upgraded("rolling");

        change(deployed, BAD);

        awaitImages(deployed, BAD, OLD, OLD);
    }

    @Test
    void manualWaitsUntilSomebodyDeletesAPod() {
        var deployed = upgraded("manual");

        change(deployed, NEW);
        giveTheManagerTime();
        awaitImages(deployed, OLD, OLD, OLD);

        deployed.pod(deployed.node(2)).delete();
        awaitImages(deployed, OLD, NEW, OLD);
        assertThat(Pods.image(deployed.pod(deployed.node(2)).get())).isEqualTo(NEW);
    }

    @Test
    void allAtOnceWaitsForNobody() {
        var deployed = upgraded("all-at-once");

        change(deployed, BAD);

        awaitImages(deployed, BAD, BAD, BAD);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rolling", "all-at-once"})
    void noPodEndsForOneThatTheApiServerWouldNotTake(String policy) {
        var deployed = upgraded(policy);
        var pods = CsiObjects.versions(deployed.clientPods());

        // Its definition lets it through.
        deployed.edit(spec -> spec.put("port", 140_000));

        Eventually.assertThat(() -> {
            assertThat(deployed.status().status()).isEqualTo("Error");
            assertThat(deployed.condition("ContainersReady")).isEqualTo("False");
            assertThat(deployed.message("ContainersReady")).contains("WekaContainer", "140000", "stays as it was");
        });
        giveTheManagerTime();
        assertThat(CsiObjects.versions(deployed.clientPods())).isEqualTo(pods);
        assertThat(deployed.containers()).hasSize(3).allSatisfy(container -> {
            assertThat(container.getStatus().status()).isEqualTo("Running");
            assertThat(deployed.csi()
                            .topology(String.valueOf(container.getSpec().nodeAffinity())))
                    .containsEntry("accessible", "true");
        });

        deployed.edit(spec -> {
            spec.put("port", 14_001);
            spec.put("image", NEW);
        });
        awaitImages(deployed, NEW, NEW, NEW);
        deployed.awaitWhole();
        assertThat(deployed.condition("ContainersReady")).isEqualTo("True");
    }

    @Test
    void theDriverIsNotTouchedByAnotherImageOfTheClient() {
        var deployed = DeployedClient.whole(PLANE.get(), 2);
        var objects = CsiObjects.versions(deployed.csi().objects());
        var servers = CsiObjects.versions(deployed.csi().nodeServers());

        change(deployed, NEW);
        awaitImages(deployed, NEW, NEW);
        deployed.awaitWhole();

        assertThat(CsiObjects.versions(deployed.csi().objects())).isEqualTo(objects);
        assertThat(CsiObjects.versions(deployed.csi().nodeServers())).isEqualTo(servers);
    }
}
