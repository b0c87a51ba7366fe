package dev.stowage.conformance.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.pool.Eventually;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Deployments that make no sense, or whose objects others have an interest in. */
class OddDeploymentsTest {

    private static final String DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";

    private static final String LABELLED = "labelled";

    @RegisterExtension
    static final Lasting<ManagedPlane> PLANE = Lasting.forTheRun(ManagedPlane.class, ManagedPlane::withManager);

    private static KubernetesClient client() {
        return PLANE.get().client();
    }

    private static void awaitInvalid(Deployed deployed, String... told) {
        Eventually.assertThat(() -> {
            assertThat(deployed.condition("SyncSuccessful")).isEqualTo("False");
            assertThat(deployed.message("SyncSuccessful")).contains(told);
        });
        Eventually.assertThat(
                () -> assertThat(deployed.events()).extracting(Event::getReason).contains("Invalid"));
    }

    @Test
    void oneThatCannotBeReadIsToldAndDoesNotStopTheOthers() {
        var odd = Deployed.nothing(client()).apply(spec -> spec.put("sidecars", Map.of("timeoutSeconds", "60s")));
        awaitInvalid(odd, "spec.sidecars.timeoutSeconds", "60s");

        var other = Deployed.whole(client());
        other.storageClass("two").delete();
        Eventually.assertThat(() -> assertThat(other.storageClass("two").get()).isNotNull());

        odd.edit(spec -> spec.remove("sidecars"));
        odd.awaitSynced();
    }

    /** What a dash alone is in YAML. The API server takes it. */
    @Test
    void aListWithNothingInAPlaceIsToldAndWhatIsMendedIsMade() {
        var driver = new HashMap<String, Object>(
                Map.of("name", "csi-driver", "image", "driver:1", "securityContext", Map.of("privileged", true)));
        driver.put("command", Arrays.asList("driver", null));
        var odd = Deployed.nothing(client())
                .apply(spec -> spec.put(
                        "driverPerNodeTemplate", Map.of("spec", Map.of("containers", Arrays.asList(driver, null)))));
        awaitInvalid(
                odd,
                "spec.driverPerNodeTemplate.spec.containers[1]",
                "spec.driverPerNodeTemplate.spec.containers[0].command[1]");
        assertThat(odd.driver().get()).isNull();

        odd.edit(spec -> spec.put("driverPerNodeTemplate", Deployed.nodeTemplate("driver:1")))
                .awaitSynced();
    }

    @Test
    void oneOfWhichNobodyKnowsItsNodesIsNotDone() {
        // Which only the API server finds out, and only when it is asked for such pods.
        var odd =
                Deployed.nothing(client()).apply(spec -> spec.put("besidePods", beside(Map.of("app", "not a label"))));

        Eventually.assertThat(() -> {
            assertThat(odd.condition("SyncSuccessful")).isEqualTo("False");
            assertThat(odd.message("SyncSuccessful")).contains("not known yet which nodes have a client");
        });
        assertThat(odd.status().observedGeneration()).isNull();

        odd.edit(spec -> spec.put("besidePods", beside(Map.of("app", "client"))))
                .awaitSynced();
    }

    private static Map<String, Object> beside(Map<String, String> labels) {
        return Map.of("selector", Map.of("matchLabels", labels));
    }

    @Test
    void oneThatCannotBeReadAnyMoreIsRemovedAllTheSame() {
        var deployed = Deployed.whole(client());
        deployed.edit(spec -> spec.put("driverPerNodeTemplate", Map.of("spec", Map.of("containers", "none"))));
        awaitInvalid(deployed, "spec.driverPerNodeTemplate.spec.containers");

        deployed.resource().delete();

        Eventually.assertThat(() -> assertThat(deployed.resource().get()).isNull());
        assertThat(deployed.node().get()).isNull();
        assertThat(deployed.storageClass("one").get()).isNull();
    }

    @Test
    void whatTheApiServerWouldNotTakeIsToldAndNothingIsTouched() {
        var deployed = Deployed.whole(client());
        String before = deployed.storageClass("two").get().getMetadata().getUid();
        deployed.edit(spec -> spec.put(
                "storageClassTemplates",
                List.of(Map.of(
                        "metadata",
                        Map.of("name", deployed.namespace() + "-two", "labels", Map.of("team", "data base"))))));
        awaitInvalid(deployed, "data base");

        assertThat(deployed.storageClass("two").get().getMetadata().getUid()).isEqualTo(before);
        assertThat(deployed.storageClass("one").get()).isNotNull();
    }

    @Test
    void aTemplateThatTheApiServerWouldNotTakeMakesNothingAtAll() {
        var deployed =
                Deployed.nothing(client()).apply(spec -> spec.put("nodeSelector", Map.of("not a label", "of a node")));
        awaitInvalid(deployed, "not a label");

        assertThat(deployed.driver().get()).isNull();
        assertThat(deployed.storageClass("one").get()).isNull();
    }

    @Test
    void theDefaultMovesFromOneClassToAnotherAndNobodyElseMakesOne() {
        var deployed = Deployed.whole(client());
        deployed.edit(spec -> spec.put(
                "storageClassTemplates",
                List.of(
                        Map.of("metadata", Map.of("name", deployed.namespace() + "-one")),
                        Map.of("metadata", Map.of("name", deployed.namespace() + "-two"), "default", true))));
        Eventually.assertThat(() -> {
            assertThat(annotation(deployed, "one")).isEqualTo("false");
            assertThat(annotation(deployed, "two")).isEqualTo("true");
        });

        deployed.storageClass("one").edit(found -> {
            found.getMetadata().getAnnotations().put(DEFAULT_CLASS, "true");
            return found;
        });
        Eventually.assertThat(() -> assertThat(annotation(deployed, "one")).isEqualTo("false"));
    }

    private static String annotation(Deployed deployed, String suffix) {
        return String.valueOf(deployed.storageClass(suffix)
                .get()
                .getMetadata()
                .getAnnotations()
                .get(DEFAULT_CLASS));
    }

    @Test
    void aLabelThatIsLeftOutGoesAndThoseOfOthersStay() {
        var deployed = Deployed.nothing(client())
                .apply(spec -> spec.put("storageClassTemplates", List.of(labelled(Map.of("team", "data")))))
                .awaitSynced();
        var storageClass = client().storage().v1().storageClasses().withName(LABELLED);
        storageClass.edit(found -> {
            found.getMetadata().getLabels().put("theirs", "kept");
            return found;
        });
        deployed.edit(spec -> spec.put("storageClassTemplates", List.of(labelled(Map.of()))));

        Eventually.assertThat(() -> assertThat(storageClass.get().getMetadata().getLabels())
                .containsEntry("theirs", "kept")
                .doesNotContainKey("team"));
    }

    private static Map<String, Object> labelled(Map<String, String> labels) {
        return Map.of("metadata", Map.of("name", LABELLED, "labels", labels));
    }

    @Test
    void anObjectThatLostItsLabelsIsStillOurs() {
        var deployed = Deployed.whole(client());
        deployed.node().edit(found -> {
            found.getMetadata().getLabels().clear();
            found.getSpec().getTemplate().getSpec().getContainers().getFirst().setImage("other:1");
            return found;
        });

        Eventually.assertThat(() -> {
            var node = deployed.node().get();
            assertThat(node.getMetadata().getLabels()).isNotEmpty();
            assertThat(node.getSpec()
                            .getTemplate()
                            .getSpec()
                            .getContainers()
                            .getFirst()
                            .getImage())
                    .isEqualTo("driver:1");
        });
        deployed.awaitSynced();
    }

    @Test
    void whatAClusterPutsIntoEveryAccountStays() {
        var deployed = Deployed.whole(client());
        var accounts =
                client().serviceAccounts().inNamespace(deployed.namespace()).withName(Deployed.NAME);
        accounts.edit(found -> {
            found.setImagePullSecrets(List.of(new LocalObjectReference("pull")));
            return found;
        });
        // Something else is restored meanwhile, so the manager had the time.
        deployed.controller().delete();
        Eventually.assertThat(() -> assertThat(deployed.controller().get()).isNotNull());

        assertThat(accounts.get().getImagePullSecrets()).hasSize(1);
    }

    private static Map<String, Object> withMemory(String image, String memory) {
        return Map.of(
                "spec",
                Map.of(
                        "containers",
                        List.of(Map.of(
                                "name",
                                "csi-driver",
                                "image",
                                image,
                                "securityContext",
                                Map.of("privileged", true),
                                "resources",
                                Map.of("limits", Map.of("memory", memory))))));
    }

    @Test
    void whatTheApiServerCannotEvenReadIsToldAndNothingIsTouched() {
        var deployed = Deployed.whole(client());
        String before = deployed.controller().get().getMetadata().getResourceVersion();
        deployed.edit(spec -> {
            spec.put("driverPerNodeTemplate", withMemory("driver:2", "512MB"));
            spec.put("driverControllerTemplate", withMemory("driver:2", "512Mi"));
            spec.put("storageClassTemplates", List.of());
        });
        awaitInvalid(deployed, "DaemonSet %s/csi-hostpath-node".formatted(deployed.namespace()), "does not take it");

        assertThat(deployed.controller().get().getMetadata().getResourceVersion())
                .isEqualTo(before);
        assertThat(deployed.storageClass("two").get()).isNotNull();

        deployed.edit(spec -> spec.put("driverPerNodeTemplate", withMemory("driver:2", "512Mi")))
                .awaitSynced();
        assertThat(deployed.storageClass("two").get()).isNull();
    }
}
