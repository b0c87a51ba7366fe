package dev.stowage.conformance.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Child;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the manager may do by its rights, and somebody does not let it do all the same. */
class BansTest {

    @RegisterExtension
    static final Lasting<ManagedPlane> PLANE = Lasting.forTheClass(ManagedPlane.class, ManagedPlane::withManager);

    private static KubernetesClient client() {
        return PLANE.get().client();
    }

    private static void awaitFailure(Deployed deployed, String object) {
        Eventually.assertThat(() -> {
            assertThat(deployed.condition("SyncSuccessful")).isEqualTo("False");
            assertThat(deployed.message("SyncSuccessful")).contains(object, "nobody may");
        });
    }

    @Test
    void ifTheApiServerDoesNotTellWhetherItWouldTakeSomethingNothingIsMade() {
        var deployed = Deployed.nothing(client());
        var set = Deployed.whole(client()).node().get();
        set.setMetadata(new ObjectMetaBuilder()
                .withNamespace(deployed.namespace())
                .withName(set.getMetadata().getName())
                .build());
        try (var _ = new Ban(client(), "CREATE", set)
                .await(each -> each.resource(set).dryRun().create())) {
            deployed.apply(spec -> {});

            awaitFailure(deployed, "DaemonSet %s/csi-hostpath-node".formatted(deployed.namespace()));
            assertThat(deployed.driver().get()).isNull();
            assertThat(deployed.storageClass("one").get()).isNull();
        }
        deployed.awaitSynced(Duration.ofMinutes(2));
    }

    @Test
    void whatCouldNotBeChangedIsStillAmongTheChildren() {
        var deployed = Deployed.whole(client());
        try (var _ = new Ban(client(), "UPDATE", deployed.controller().get())
                .await(each ->
                        each.resource(deployed.controller().get()).dryRun().update())) {
            deployed.edit(spec -> spec.put("driverControllerTemplate", Deployed.nodeTemplate("driver:2")));

            awaitFailure(deployed, "Deployment %s/csi-hostpath-controller".formatted(deployed.namespace()));
            assertThat(deployed.status().children())
                    .hasSize(10)
                    .extracting(Child::resource)
                    .contains("deployments");
        }
        deployed.awaitSynced(Duration.ofMinutes(2));
    }

    @Test
    void whatNobodyMayRemoveIsTold() {
        var deployed = Deployed.whole(client());
        var kept = deployed.storageClass("two").get();
        try (var _ = new Ban(client(), "DELETE", kept)
                .await(each -> each.resource(kept).dryRun().delete())) {
            deployed.resource().delete();

            awaitFailure(deployed, "StorageClass %s-two".formatted(deployed.namespace()));
            Eventually.assertThat(() ->
                    assertThat(deployed.events()).extracting(Event::getReason).containsOnlyOnce("DeletionFails"));
            assertThat(deployed.node().get()).isNull();
        }
        Eventually.assertThat(
                Duration.ofMinutes(2),
                () -> assertThat(deployed.resource().get()).isNull());
    }
}
