package dev.stowage.manager.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.kube.csidriver.CsiDriverDeployment.StorageClassTemplate;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClassSecretsTest {

    private static StorageClassTemplate withSecret(String purpose, String namespace, String name) {
        var parameters = new HashMap<String, String>();
        parameters.put("csi.storage.k8s.io/" + purpose + "-secret-name", name);
        parameters.put("csi.storage.k8s.io/" + purpose + "-secret-namespace", namespace);
        return withParameters(parameters);
    }

    private static StorageClassTemplate withParameters(Map<String, String> parameters) {
        return new StorageClassTemplate(null, null, parameters, null, null, null, null, null);
    }

    private static ClassSecrets of(StorageClassTemplate... classes) {
        return ClassSecrets.of(List.of(classes), Set.of());
    }

    @Test
    void aVolumeThatWasMadeWithOtherSecretsStillNeedsThem() {
        var volume = new PersistentVolumeBuilder()
                .withNewMetadata()
                .addToAnnotations("volume.kubernetes.io/provisioner-deletion-secret-name", "former")
                .addToAnnotations("volume.kubernetes.io/provisioner-deletion-secret-namespace", "storage")
                .endMetadata()
                .withNewSpec()
                .withNewCsi()
                .withDriver("driver")
                .withNewControllerExpandSecretRef("grows", "storage")
                .withNewControllerPublishSecretRef("attaches", "elsewhere")
                .withNewNodeStageSecretRef("mounts", "kubelets")
                .endCsi()
                .endSpec()
                .build();
        var volumes = Volumes.one(volume).and(Volumes.one(volume));

        var secrets = ClassSecrets.of(List.of(withSecret("provisioner", "storage", "array")), volumes.secrets());

        assertThat(volumes.count()).isEqualTo(2);
        assertThat(secrets.named())
                .isEqualTo(Map.of("storage", Set.of("array", "former", "grows"), "elsewhere", Set.of("attaches")));
    }

    @Test
    void sidecarsReadTheSecretsThatClassesNameAndNoOthers() {
        var secrets = of(
                withSecret("provisioner", "storage", "array"),
                withSecret("controller-expand", "storage", "array"),
                withSecret("controller-publish", "elsewhere", "chap"));

        assertThat(secrets.named()).isEqualTo(Map.of("storage", Set.of("array"), "elsewhere", Set.of("chap")));
        assertThat(secrets.rule("storage").getResourceNames()).containsExactly("array");
        assertThat(secrets.rule("storage").getVerbs()).containsExactly("get");
    }

    @Test
    void theSecretForAllPurposesIsReadWhereAClassNamesNoOther() {
        var forAll = Map.of(
                "csi.storage.k8s.io/secret-name", "all",
                "csi.storage.k8s.io/secret-namespace", "storage");
        var each = new HashMap<>(forAll);
        for (String purpose : List.of("provisioner", "controller-publish", "controller-expand")) {
            each.put("csi.storage.k8s.io/" + purpose + "-secret-name", purpose);
            each.put("csi.storage.k8s.io/" + purpose + "-secret-namespace", "storage");
        }

        assertThat(of(withParameters(forAll)).named()).isEqualTo(Map.of("storage", Set.of("all")));
        assertThat(of(withParameters(each)).named())
                .isEqualTo(Map.of("storage", Set.of("provisioner", "controller-publish", "controller-expand")));
    }

    @Test
    void theNamesThatParametersHadBeforeCountAsTheProvisionerCountsThem() {
        var secrets = of(
                withParameters(Map.of(
                        "csiProvisionerSecretName",
                        "array",
                        "csi.storage.k8s.io/provisioner-secret-namespace",
                        "mixed")),
                withParameters(Map.of(
                        "csiControllerPublishSecretName", "chap", "csiControllerPublishSecretNamespace", "storage")),
                withParameters(Map.of("csiNodeStageSecretName", "mounts", "csiNodeStageSecretNamespace", "kubelets")));

        assertThat(secrets.named()).isEqualTo(Map.of("mixed", Set.of("array"), "storage", Set.of("chap")));
    }

    @Test
    void aSecretOfWhichHalfIsSaidIsNone() {
        assertThat(of(withSecret("provisioner", "", "array")).named()).isEmpty();
        assertThat(of(withParameters(Map.of("csi.storage.k8s.io/secret-name", "array")))
                        .named())
                .isEmpty();
    }

    @Test
    void theKubeletReadsThoseForNodes() {
        assertThat(of(withSecret("node-stage", "storage", "array")).named()).isEmpty();
    }

    @Test
    void aNameThatDependsOnTheClaimCanBeAnyOfItsNamespace() {
        var secrets = of(withSecret("provisioner", "storage", "of-${pvc.name}"));

        assertThat(secrets.rule("storage").getResourceNames()).isEmpty();
    }

    @Test
    void aNamespaceThatDependsOnTheClaimCanBeAny() {
        var secrets = of(withSecret("provisioner", "${pvc.namespace}", "array"));

        assertThat(secrets.named()).containsOnlyKeys(ClassSecrets.ANY);
        assertThat(secrets.rule(ClassSecrets.ANY).getResourceNames()).isEmpty();
    }

    @Test
    void aClassWithoutParametersNamesNone() {
        var template = new StorageClassTemplate(null, null, null, null, null, null, null, null);

        assertThat(of(template).named()).isEmpty();
    }
}
