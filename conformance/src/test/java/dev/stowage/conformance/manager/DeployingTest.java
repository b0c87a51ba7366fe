package dev.stowage.conformance.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Child;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A CSIDriverDeployment becomes what it asks for, and stays so. */
class DeployingTest {

    @RegisterExtension
    static final Lasting<ManagedPlane> PLANE = Lasting.forTheRun(ManagedPlane.class, ManagedPlane::withManager);

    private static KubernetesClient client() {
        return PLANE.get().client();
    }

    @Test
    void everythingIsMadeAndTheStatusTellsIt() {
        var deployed = Deployed.whole(client());

        assertThat(deployed.node().get()).isNotNull();
        assertThat(deployed.controller().get()).isNotNull();
        assertThat(client().serviceAccounts()
                        .inNamespace(deployed.namespace())
                        .withName(Deployed.NAME)
                        .get())
                .isNotNull();
        assertThat(deployed.driver().get()).isNotNull();
        assertThat(deployed.storageClass("two").get().getParameters()).containsEntry("foo", "baz");
        assertThat(deployed.status().state()).isEqualTo("Managed");
        assertThat(deployed.status().children()).hasSize(10);
    }

    @Test
    void whatSomebodyChangesOrDeletesIsRestoredAndToldWithHisName() {
        var deployed = Deployed.whole(client());
        deployed.controller().edit(found -> {
            found.getSpec().setReplicas(3);
            found.getSpec().getTemplate().getSpec().getContainers().getFirst().setImage("other:1");
            return found;
        });
        deployed.storageClass("two").delete();
        deployed.node().delete();

        Eventually.assertThat(() -> {
            var controller = deployed.controller().get().getSpec();
            assertThat(controller.getReplicas()).isEqualTo(1);
            assertThat(controller
                            .getTemplate()
                            .getSpec()
                            .getContainers()
                            .getFirst()
                            .getImage())
                    .isEqualTo("driver:1");
            assertThat(deployed.node().get()).isNotNull();
            assertThat(deployed.storageClass("two").get()).isNotNull();
        });
        Eventually.assertThat(() -> {
            assertThat(deployed.events())
                    .filteredOn(event -> event.getReason().equals("Restored"))
                    .anySatisfy(event -> assertThat(event.getMessage())
                            .contains("spec.replicas is 3 instead of 1")
                            .containsPattern("was changed by \\S+ at "));
            var drift = Objects.requireNonNull(deployed.status().drift());
            assertThat(drift.restored()).isGreaterThanOrEqualTo(3);
        });
    }

    @Test
    void whoScalesTheControllerIsTold() {
        var deployed = Deployed.whole(client());
        var controller =
                client().apps().deployments().inNamespace(deployed.namespace()).withName(Deployed.NAME + "-controller");
        // As kubectl scale does, which does not write the object itself.
        var scale = controller.scale();
        scale.getSpec().setReplicas(3);
        controller.scale(scale);

        Eventually.assertThat(() -> assertThat(deployed.status().drift())
                .isNotNull()
                .satisfies(drift -> {
                    assertThat(drift.changes()).containsExactly("spec.replicas is 3 instead of 1");
                    assertThat(drift.by()).startsWith("fabric8");
                }));
        assertThat(controller.get().getSpec().getReplicas()).isEqualTo(1);
    }

    /** It is kept as it was written, with its comments. */
    @Test
    void theExampleThatDefinesTheResourceIsDeployedUnchanged() {
        var deployed = Deployed.nothing(client())
                .applyFile("/manager/csi-hostpath.yaml")
                .awaitSynced();

        var pod = deployed.node().get().getSpec();
        assertThat(pod.getUpdateStrategy().getType()).isEqualTo("RollingUpdate");
        assertThat(pod.getTemplate().getSpec().getContainers().getFirst().getImage())
                .isEqualTo("quay.io/k8scsi/hostpathplugin:v0.2.0");
        assertThat(deployed.controller().get().getSpec().getTemplate().getSpec().getContainers())
                .extracting(Container::getName)
                .contains("csi-driver", "csi-provisioner", "csi-attacher");
        assertThat(client().storage().v1().csiDrivers().withName("csi-hostpath").get())
                .isNotNull();
        for (String name : List.of("my-default-class", "my-non-default-class")) {
            var storageClass =
                    client().storage().v1().storageClasses().withName(name).get();
            assertThat(storageClass.getProvisioner()).isEqualTo("csi-hostpath");
            assertThat(storageClass.getMetadata().getAnnotations())
                    .containsEntry(
                            "storageclass.kubernetes.io/is-default-class",
                            String.valueOf(name.equals("my-default-class")));
        }
        assertThat(deployed.status().children())
                .extracting(Child::resource)
                .containsExactlyInAnyOrder(
                        "serviceaccounts",
                        "clusterroles",
                        "clusterrolebindings",
                        "roles",
                        "rolebindings",
                        "csidrivers",
                        "storageclasses",
                        "storageclasses",
                        "daemonsets",
                        "deployments");
        deployed.resource().delete();
        Eventually.assertThat(() -> assertThat(deployed.resource().get()).isNull());
    }

    @Test
    void whatIsReplacedWithoutOurMarksIsToldAsWell() {
        var deployed = Deployed.whole(client());
        deployed.controller().edit(found -> {
            found.getMetadata().setLabels(Map.of());
            found.getMetadata().setAnnotations(Map.of());
            found.getSpec().setReplicas(3);
            return found;
        });

        Eventually.assertThat(() -> assertThat(deployed.status().drift())
                .isNotNull()
                .satisfies(drift -> {
                    assertThat(drift.restored()).isEqualTo(1);
                    assertThat(drift.changes()).contains("spec.replicas is 3 instead of 1");
                }));
        assertThat(deployed.controller().get().getSpec().getReplicas()).isEqualTo(1);
        assertThat(deployed.events())
                .filteredOn(event -> event.getReason().equals("Restored"))
                .singleElement()
                .satisfies(event -> assertThat(event.getMessage()).contains("spec.replicas is 3 instead of 1"));
    }

    @Test
    void whatIsWrongIsToldAndNothingElseIsTouched() {
        var deployed = Deployed.whole(client());
        String before = deployed.node().get().getMetadata().getResourceVersion();
        deployed.edit(spec -> {
            spec.put("driverSocket", "not-absolute");
            spec.put("nodeUpdateStrategy", "Sometimes");
            spec.put("storageClassTemplates", List.of());
        });

        Eventually.assertThat(
                () -> assertThat(deployed.condition("SyncSuccessful")).isEqualTo("False"));
        assertThat(deployed.status().observedGeneration())
                .isLessThan(deployed.resource().get().getMetadata().getGeneration());
        assertThat(deployed.message("SyncSuccessful")).contains("not-absolute").contains("Sometimes");
        assertThat(deployed.node().get().getMetadata().getResourceVersion()).isEqualTo(before);
        assertThat(deployed.storageClass("two").get()).isNotNull();
        Eventually.assertThat(
                () -> assertThat(deployed.events()).extracting(Event::getReason).contains("Invalid"));
    }

    @Test
    void whatIsLeftOutIsRemovedAndTheEndRemovesEverything() {
        var deployed = Deployed.whole(client());
        deployed.edit(spec -> {
            spec.remove("driverControllerTemplate");
            spec.put(
                    "storageClassTemplates",
                    ((List<?>) Objects.requireNonNull(spec.get("storageClassTemplates"))).subList(0, 1));
        });
        Eventually.assertThat(() -> {
            assertThat(deployed.controller().get()).isNull();
            assertThat(deployed.storageClass("two").get()).isNull();
        });

        deployed.resource().delete();

        Eventually.assertThat(() -> assertThat(deployed.resource().get()).isNull());
        assertThat(deployed.node().get()).isNull();
        assertThat(deployed.storageClass("one").get()).isNull();
        assertThat(deployed.driver().get()).isNull();
    }

    @Test
    void whatIsNotManagedIsLeftAsItIs() {
        var deployed = Deployed.whole(client());
        deployed.edit(spec -> spec.put("managementState", "Unmanaged"));
        Eventually.assertThat(() -> assertThat(deployed.status().state()).isEqualTo("Unmanaged"));

        deployed.controller().delete();
        deployed.edit(spec -> spec.put("storageClassTemplates", List.of()));
        // Another deployment is made whole meanwhile, so the manager had the time.
        Deployed.whole(client());
        assertThat(deployed.controller().get()).isNull();
        assertThat(deployed.storageClass("two").get()).isNotNull();

        deployed.edit(spec -> spec.put("managementState", "Managed"));
        Eventually.assertThat(() -> {
            assertThat(deployed.controller().get()).isNotNull();
            assertThat(deployed.storageClass("two").get()).isNull();
        });
    }

    @Test
    void aFieldOfTheCsiDriverThatCannotChangeMakesItAnew() {
        var deployed = Deployed.whole(client());
        String before = deployed.driver().get().getMetadata().getUid();
        deployed.edit(spec -> spec.put("csiDriver", Map.of("attachRequired", false)));

        Eventually.assertThat(() -> assertThat(deployed.driver().get().getSpec().getAttachRequired())
                .isFalse());
        deployed.awaitSynced();
        assertThat(deployed.driver().get().getMetadata().getUid()).isNotEqualTo(before);
    }

    @Test
    void sidecarsMayReadTheSecretsThatClassesNameWhereverTheyAre() {
        var deployed = Deployed.nothing(client())
                .apply(spec -> spec.put(
                        "storageClassTemplates",
                        List.of(Map.of(
                                "metadata",
                                Map.of("name", "with-secret"),
                                "parameters",
                                Map.of(
                                        "csi.storage.k8s.io/provisioner-secret-name", "array",
                                        "csi.storage.k8s.io/provisioner-secret-namespace", "kube-system")))))
                .awaitSynced();
        String name =
                "csidriverdeployment-" + deployed.resource().get().getMetadata().getUid();
        var roles = client().rbac().roles().inNamespace("kube-system").withName(name);

        assertThat(roles.get().getRules()).singleElement().satisfies(rule -> {
            assertThat(rule.getResources()).containsExactly("secrets");
            assertThat(rule.getResourceNames()).containsExactly("array");
        });

        deployed.edit(spec -> spec.put("storageClassTemplates", List.of()));
        Eventually.assertThat(() -> assertThat(roles.get()).isNull());
    }

    @Test
    void aNamespaceOfSecretsThatIsNotThereKeepsNobodyFromTheDriver() {
        var deployed = Deployed.nothing(client());
        String secrets = deployed.namespace() + "-secrets";
        deployed.apply(spec -> spec.put(
                        "storageClassTemplates",
                        List.of(Map.of(
                                "metadata",
                                Map.of("name", secrets),
                                "parameters",
                                Map.of(
                                        "csi.storage.k8s.io/provisioner-secret-name",
                                        "array",
                                        "csi.storage.k8s.io/provisioner-secret-namespace",
                                        secrets)))))
                .awaitSynced();
        var roles = client().rbac()
                .roles()
                .inNamespace(secrets)
                .withName("csidriverdeployment-"
                        + deployed.resource().get().getMetadata().getUid());

        client().resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(secrets)
                        .endMetadata()
                        .build())
                .create();

        Eventually.assertThat(() -> assertThat(roles.get()).isNotNull());
    }

    @Test
    void whatOthersMadeAnewWithFieldsThatCannotChangeIsRestoredAndTold() {
        var deployed = Deployed.whole(client());
        deployed.edit(spec -> spec.put("managementState", "Unmanaged"));
        Eventually.assertThat(() -> assertThat(deployed.status().state()).isEqualTo("Unmanaged"));
        deployed.storageClass("two").delete();
        client().resource(new StorageClassBuilder()
                        .withNewMetadata()
                        .withName(deployed.namespace() + "-two")
                        .addToLabels("theirs", "kept")
                        .endMetadata()
                        .withProvisioner(deployed.driverName())
                        .withParameters(Map.of("foo", "other", "more", "of it"))
                        .build())
                .create();

        deployed.edit(spec -> spec.put("managementState", "Managed"));

        Eventually.assertThat(() -> assertThat(deployed.status().drift())
                .isNotNull()
                .satisfies(drift -> {
                    assertThat(drift.object()).isEqualTo("StorageClass %s-two".formatted(deployed.namespace()));
                    assertThat(drift.changes())
                            .contains(
                                    "parameters.foo is other instead of baz",
                                    "parameters.more is of it instead of absent");
                    assertThat(drift.by()).startsWith("fabric8");
                }));
        var now = deployed.storageClass("two").get();
        assertThat(now.getParameters()).isEqualTo(Map.of("foo", "baz"));
        assertThat(now.getMetadata().getLabels()).containsEntry("theirs", "kept");
        assertThat(deployed.events())
                .filteredOn(event -> event.getReason().equals("Restored"))
                .singleElement()
                .satisfies(event -> assertThat(event.getMessage()).contains("parameters.foo is other instead of baz"));
    }
}
