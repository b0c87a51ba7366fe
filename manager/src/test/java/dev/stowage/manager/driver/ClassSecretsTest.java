package dev.stowage.manager.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.kube.csidriver.CsiDriverDeployment.StorageClassTemplate;
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
        return new StorageClassTemplate(null, null, parameters, null, null, null, null, null);
    }

    @Test
    void sidecarsReadTheSecretsThatClassesNameAndNoOthers() {
        var secrets = ClassSecrets.of(List.of(
                withSecret("provisioner", "storage", "array"),
                withSecret("controller-expand", "storage", "array"),
                withSecret("controller-publish", "elsewhere", "chap")));

        assertThat(secrets.named()).isEqualTo(Map.of("storage", Set.of("array"), "elsewhere", Set.of("chap")));
        assertThat(secrets.rule("storage").getResourceNames()).containsExactly("array");
        assertThat(secrets.rule("storage").getVerbs()).containsExactly("get");
    }

    @Test
    void theKubeletReadsThoseForNodes() {
        assertThat(ClassSecrets.of(List.of(withSecret("node-stage", "storage", "array")))
                        .named())
                .isEmpty();
    }

    @Test
    void aNameThatDependsOnTheClaimCanBeAnyOfItsNamespace() {
        var secrets = ClassSecrets.of(List.of(withSecret("provisioner", "storage", "of-${pvc.name}")));

        assertThat(secrets.rule("storage").getResourceNames()).isEmpty();
    }

    @Test
    void aNamespaceThatDependsOnTheClaimCanBeAny() {
        var secrets = ClassSecrets.of(List.of(withSecret("provisioner", "${pvc.namespace}", "array")));

        assertThat(secrets.named()).containsOnlyKeys(ClassSecrets.ANY);
        assertThat(secrets.rule(ClassSecrets.ANY).getResourceNames()).isEmpty();
    }

    @Test
    void aClassWithoutParametersNamesNone() {
        var template = new StorageClassTemplate(null, null, null, null, null, null, null, null);

        assertThat(ClassSecrets.of(List.of(template)).named()).isEmpty();
    }
}
