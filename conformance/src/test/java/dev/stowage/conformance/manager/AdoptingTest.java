package dev.stowage.conformance.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.kube.csidriver.CsiDriverDeployment.NodeStatus;
import dev.stowage.kube.weka.WekaResources;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A driver that was there before, made by Helm or by hand. */
class AdoptingTest {

    @RegisterExtension
    static final Lasting<ManagedPlane> PLANE = Lasting.forTheRun(ManagedPlane.class, ManagedPlane::withManager);

    private static KubernetesClient client() {
        return PLANE.get().client();
    }

    private static final String DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";

    private static <T extends HasMetadata> T now(T object) {
        return client().resource(object).get();
    }

    @Test
    void whatEqualsTheWishIsTakenOverAndNoPodRestarts() {
        var byHand = ByHand.prepared(client());
        var where = byHand.where();
        var nodes = byHand.nodes();
        var controller = byHand.controller();

        byHand.adopt().awaitSynced();

        Eventually.assertThat(() -> assertThat(now(nodes).getMetadata().getLabels())
                .containsEntry(CsiDriverDeployment.OWNER_NAME, Deployed.NAME)
                .containsEntry("app.kubernetes.io/managed-by", "Helm"));
        assertThat(now(nodes).getSpec().getTemplate()).isEqualTo(nodes.getSpec().getTemplate());
        assertThat(now(nodes).getMetadata().getUid())
                .isEqualTo(nodes.getMetadata().getUid());
        assertThat(now(controller).getSpec().getTemplate())
                .isEqualTo(controller.getSpec().getTemplate());
        assertThat(where.node().get()).isNull();
        assertThat(where.controller().get()).isNull();
        // It is managed from now on, also without the labels that pods of others have.
        client().resource(now(controller)).edit(found -> {
            found.getSpec().setReplicas(2);
            return found;
        });
        Eventually.assertThat(
                () -> assertThat(now(controller).getSpec().getReplicas()).isEqualTo(1));
        assertThat(now(controller).getSpec().getTemplate())
                .as("what else changes restarts no pod either")
                .isEqualTo(controller.getSpec().getTemplate());
    }

    @Test
    void noClassBecomesTheDefaultOfTheClusterWithoutConsent() {
        var where = Deployed.nothing(client());
        classByHand(where, "one", Map.of());
        classByHand(where, "two", Map.of("foo", "baz"));

        where.apply(spec -> {});

        Eventually.assertThat(() -> assertThat(where.message("SyncSuccessful"))
                .contains(where.namespace() + "-one", DEFAULT_CLASS + " is absent instead of true")
                .doesNotContain(where.namespace() + "-two"));
        assertThat(where.storageClass("one").get().getMetadata().getAnnotations())
                .doesNotContainKey(DEFAULT_CLASS);

        where.edit(spec -> spec.put("adoption", "Consent")).awaitSynced();
        assertThat(where.storageClass("one").get().getMetadata().getAnnotations())
                .containsEntry(DEFAULT_CLASS, "true");
    }

    private static void classByHand(Deployed where, String suffix, Map<String, String> parameters) {
        client().resource(new StorageClassBuilder()
                        .withNewMetadata()
                        .withName(where.namespace() + "-" + suffix)
                        .endMetadata()
                        .withProvisioner(where.driverName())
                        .withParameters(parameters)
                        .build())
                .create();
    }

    @Test
    void whatDiffersIsShownAndWaitsForConsent() {
        var byHand = ByHand.prepared(client());
        var where = byHand.where();
        var nodes = byHand.nodes();
        client().resource(nodes).edit(found -> {
            found.getSpec().getTemplate().getSpec().getContainers().getFirst().setImage("driver:0");
            return found;
        });
        byHand.controller();
        var before = now(nodes);

        byHand.adopt();

        Eventually.assertThat(() -> assertThat(where.message("SyncSuccessful"))
                .contains("my-nodes")
                .contains("containers[csi-driver].image is driver:0 instead of driver:1")
                .contains("Consent"));
        assertThat(now(nodes)).isEqualTo(before);
        assertThat(where.driver().get()).isNull();
        assertThat(where.storageClass("one").get()).isNull();

        where.edit(spec -> spec.put("adoption", "Consent")).awaitSynced();
        assertThat(now(nodes)
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .getFirst()
                        .getImage())
                .isEqualTo("driver:1");
        assertThat(now(nodes).getMetadata().getUid())
                .isEqualTo(before.getMetadata().getUid());
    }

    @Test
    void theFirstUpdateOfAnAdoptedDriverIsSeenOnAllNodesAndTakenBackWhenItDoesNotWork() {
        var byHand = ByHand.prepared(client());
        var where = byHand.where();
        var set = byHand.nodes();
        byHand.controller();
        byHand.adopt().awaitSynced();
        var nodes = PlayedDaemonSet.of(
                client(),
                client().apps().daemonSets().inNamespace(where.namespace()).withName("my-nodes"));
        nodes.runEverywhere();
        Eventually.assertThat(
                () -> assertThat(where.status().rolloutOrNone().lastGood()).isNotNull());

        where.edit(spec -> spec.put("driverPerNodeTemplate", Deployed.nodeTemplate("driver:2")));
        Eventually.assertThat(() -> assertThat(now(set).getSpec().getTemplate())
                .isNotEqualTo(set.getSpec().getTemplate()));
        nodes.observe();
        nodes.end(nodes.firstNode());
        nodes.run(nodes.firstNode(), PlayedDaemonSet.ready());
        Eventually.assertThat(() -> assertThat(where.status().nodes())
                .extracting(NodeStatus::name, NodeStatus::current)
                .containsExactly(tuple(nodes.firstNode(), true), tuple(nodes.lastNode(), false)));

        nodes.end(nodes.firstNode());
        nodes.run(nodes.firstNode(), PlayedDaemonSet.hopeless());

        Eventually.assertThat(() -> assertThat(now(set).getSpec().getTemplate())
                .isEqualTo(set.getSpec().getTemplate()));
        nodes.observe();
        // The one that never changed is one of the template of now again.
        Eventually.assertThat(() -> assertThat(where.status().nodes())
                .extracting(NodeStatus::name, NodeStatus::current)
                .containsExactly(tuple(nodes.firstNode(), false), tuple(nodes.lastNode(), true)));
        assertThat(where.message("Progressing")).contains("InvalidImageName");
        // A new one has our selector, which that template does not fit.
        client().resource(now(set)).delete();
        Eventually.assertThat(() -> assertThat(now(set).getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .getFirst()
                        .getImage())
                .isEqualTo("driver:1"));
    }

    @Test
    void whatIsChangedByConsentAndDoesNotWorkIsTakenBackToWhatWasThereBefore() {
        var byHand = ByHand.prepared(client());
        var where = byHand.where();
        var set = client().resource(byHand.nodes()).edit(found -> {
            found.getSpec().getTemplate().getSpec().getContainers().getFirst().setImage("driver:0");
            return found;
        });
        byHand.controller();
        client().resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace(where.namespace())
                        .withName(Deployed.NAME)
                        .endMetadata()
                        .build())
                .create();
        var nodes = PlayedDaemonSet.of(
                client(),
                client().apps().daemonSets().inNamespace(where.namespace()).withName("my-nodes"));
        nodes.runEverywhere();

        byHand.adopt();
        where.edit(spec -> spec.put("adoption", "Consent")).awaitSynced();
        assertThat(imageOf(set)).isEqualTo("driver:1");
        assertThat(where.status().rolloutOrNone().template())
                .isEqualTo(set.getSpec().getTemplate());
        nodes.observe();
        nodes.end(nodes.firstNode());
        nodes.run(nodes.firstNode(), PlayedDaemonSet.hopeless());

        Eventually.assertThat(() -> {
            assertThat(imageOf(set)).isEqualTo("driver:0");
            assertThat(where.message("Progressing")).contains("InvalidImageName");
        });
        assertThat(where.events()).extracting(Event::getReason).contains("RolledBack");
    }

    private static String imageOf(DaemonSet set) {
        return now(set).getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .getFirst()
                .getImage();
    }

    @Test
    void whatBelongsToTheDriverOfAClientByNowIsNotRemovedWithTheDeployment() {
        var deployed = Deployed.whole(client());
        deployed.driver().edit(found -> {
            found.getMetadata().setLabels(Map.of(WekaResources.DRIVER, deployed.driverName()));
            return found;
        });
        Eventually.assertThat(() -> assertThat(deployed.message("SyncSuccessful"))
                .contains("belongs to the driver " + deployed.driverName()));

        deployed.resource().delete();

        Eventually.assertThat(() -> assertThat(deployed.resource().get()).isNull());
        assertThat(deployed.driver().get().getMetadata().getDeletionTimestamp()).isNull();
    }

    @Test
    void whatBelongsToAnotherDeploymentIsNeverTaken() {
        var first = Deployed.whole(client());
        var second = Deployed.nothing(client()).apply(spec -> {
            spec.put("adoption", "Consent");
            spec.put(
                    "storageClassTemplates",
                    List.of(Map.of(
                            "metadata", Map.of("name", first.namespace() + "-two"), "parameters", Map.of("a", "b"))));
        });

        Eventually.assertThat(() -> assertThat(second.message("SyncSuccessful"))
                .contains(first.namespace() + "-two belongs to CSIDriverDeployment " + first.namespace() + "/"));
        assertThat(first.storageClass("two").get().getParameters()).containsEntry("foo", "baz");
        assertThat(second.node().get()).isNull();
    }

    @Test
    void whatMakesNoSenseIsToldAsSuchAlsoWhereThereIsSomethingToAdopt() {
        var byHand = ByHand.prepared(client());
        var where = byHand.where();
        var before = byHand.nodes();

        where.apply(spec -> {
            spec.put("adopt", Map.of("daemonSet", before.getMetadata().getName()));
            spec.put(
                    "driverPerNodeTemplate",
                    Map.of(
                            "spec",
                            Map.of(
                                    "containers",
                                    List.of(Map.of(
                                            "name",
                                            "csi-driver",
                                            "image",
                                            "driver:1",
                                            "securityContext",
                                            Map.of("privileged", true),
                                            "resources",
                                            Map.of("limits", Map.of("memory", "512MB")))))));
        });

        Eventually.assertThat(
                () -> assertThat(where.events()).extracting(Event::getReason).containsExactly("Invalid"));
        assertThat(where.message("SyncSuccessful")).contains("my-nodes", "does not take it");
        assertThat(now(before)).isEqualTo(before);
        assertThat(where.driver().get()).isNull();
    }
}
