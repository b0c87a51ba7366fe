package dev.stowage.clustertests.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicy;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.storage.CSIDriver;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the chart makes of its values when volumes come from arrays. */
class VscChartTest {

    private static final String SNAPSHOTS = "snapshot.storage.k8s.io/v1";
    private static final String GROUPS = "groupsnapshot.storage.k8s.io/v1beta1";

    private static Rendering of(String values, String... served) {
        return Rendering.of("backend: vsc\n" + values, served);
    }

    private static List<String> driver(PodSpec pod) {
        return Rendering.container(pod, "driver").getArgs();
    }

    @Test
    void theDriverHasTheNameThatItsUsersKnow() {
        var rendering = of("", SNAPSHOTS);
        assertThat(rendering.all(CSIDriver.class)).singleElement().satisfies(driver -> {
            assertThat(driver.getMetadata().getName()).isEqualTo("csi.zadara.com");
            assertThat(driver.getSpec().getAttachRequired()).isTrue();
            assertThat(driver.getSpec().getPodInfoOnMount()).isTrue();
            assertThat(driver.getSpec().getVolumeLifecycleModes()).containsExactly("Persistent");
        });
        assertThat(rendering.all(StorageClass.class)).singleElement().satisfies(storageClass -> {
            assertThat(storageClass.getProvisioner()).isEqualTo("csi.zadara.com");
            assertThat(storageClass.getVolumeBindingMode()).isEqualTo("Immediate");
            assertThat(storageClass.getAllowVolumeExpansion()).isTrue();
        });
        assertThat(driver(of("driverName: other.example.com").node())).contains("--driver-name=other.example.com");
    }

    @Test
    void theValuesBecomeTheDriversOptions() {
        assertThat(driver(of("").controller()))
                .contains(
                        "--backend=vsc",
                        "--role=controller",
                        "--driver-name=csi.zadara.com",
                        "--encryption-key-directory=/etc/stowage/encryption",
                        "--monitor-interval=50s",
                        "--array-timeout=3m0s",
                        "--array-tls",
                        "--array-verify",
                        "--allocator=weighted",
                        "--fence-after=10s")
                .doesNotContain("--taint-fenced-nodes")
                .noneMatch(argument -> argument.startsWith("--array-trust") || argument.startsWith("--pool"));
        assertThat(driver(of("""
                                vsc:
                                  vpsa: {useTLS: false, verifyTLS: false, monitorInterval: 1m30s, requestTimeout: 10s}
                                  allocator: even
                                  stonith: {probeTimeout: 40s, setTaint: true}
                                  customTrustedCertificates: {existingSecret: our-authority}
                                """).controller()))
                .contains(
                        "--no-array-tls",
                        "--no-array-verify",
                        "--monitor-interval=1m30s",
                        "--array-timeout=10s",
                        "--allocator=even",
                        "--fence-after=40s",
                        "--taint-fenced-nodes",
                        "--array-trust=/etc/stowage/trust");
        assertThat(driver(of("vsc: {stonith: {enable: false, setTaint: true}}").controller()))
                .contains("--fence-after=0s")
                .doesNotContain("--taint-fenced-nodes");
        assertThat(driver(of("vsc: {storageNetwork: 192.168.50.0/24}").node()))
                .contains(
                        "--role=node",
                        "--node-id=$(NODE_NAME)",
                        "--storage-network=192.168.50.0/24",
                        "--state-directory=/var/lib/stowage-vsc",
                        "--initiator=auto")
                .noneMatch(argument -> argument.startsWith("--pool"));
    }

    @Test
    void sidecarsWaitAsLongAsAnArrayMayTake() {
        var controller = of("", SNAPSHOTS, GROUPS).controller();
        assertThat(Rendering.containers(controller))
                .containsExactly("driver", "provisioner", "resizer", "snapshotter", "attacher");
        for (String sidecar : List.of("provisioner", "resizer", "snapshotter", "attacher")) {
            assertThat(Rendering.container(controller, sidecar).getArgs())
                    .contains("--timeout=180s")
                    .noneMatch(argument -> argument.contains("Topology")
                            || argument.contains("capacity")
                            || argument.contains("CSIVolumeGroupSnapshot"));
        }
    }

    @Test
    void theControllerHasTheKeyAsFilesAndMayReadNoSecret() {
        var rendering = of("vsc: {customTrustedCertificates: {existingSecret: our-authority}}", SNAPSHOTS);
        assertThat(Rendering.container(rendering.controller(), "driver").getVolumeMounts())
                .extracting(VolumeMount::getName)
                .contains("encryption", "trust");
        for (String sidecar : List.of("provisioner", "resizer", "snapshotter", "attacher")) {
            assertThat(Rendering.container(rendering.controller(), sidecar).getVolumeMounts())
                    .as("it is nobody else's")
                    .extracting(VolumeMount::getName)
                    .containsExactly("csi", "tmp");
        }
        assertThat(rendering.controller().getVolumes())
                .filteredOn(volume -> volume.getSecret() != null)
                .extracting(volume -> volume.getSecret().getSecretName())
                .containsExactly("release-encryption-secret", "our-authority");
        assertThat(rendering.rules("-controller")).allSatisfy(rule -> {
            assertThat(rule.getResources()).doesNotContain("*", "secrets");
            assertThat(rule.getVerbs()).doesNotContain("*");
            assertThat(rule.getApiGroups()).doesNotContain("*", "local.stowage.dev");
        });
    }

    @Test
    void onlyAControllerThatDeclaresNodesOutOfServiceMayChangeThem() {
        assertThat(of("").rules("-controller").filter(VscChartTest::changesNodes))
                .isEmpty();
        assertThat(of("vsc: {stonith: {enable: false, setTaint: true}}")
                        .rules("-controller")
                        .filter(VscChartTest::changesNodes))
                .isEmpty();
        assertThat(of("vsc: {stonith: {setTaint: true}}").rules("-controller").filter(VscChartTest::changesNodes))
                .singleElement()
                .satisfies(rule -> assertThat(rule.getVerbs()).containsExactly("patch"));
    }

    private static boolean changesNodes(PolicyRule rule) {
        return rule.getResources().contains("nodes")
                && rule.getVerbs().stream().anyMatch(List.of("patch", "update", "delete")::contains);
    }

    @Test
    void aNodeWritesItsVscNodeAndNothingElse() {
        assertThat(of("", SNAPSHOTS, GROUPS).rules("-node")).singleElement().satisfies(rule -> {
            assertThat(rule.getApiGroups()).containsExactly("storage.zadara.com");
            assertThat(rule.getResources()).containsExactly("vscnodes");
            assertThat(rule.getVerbs()).containsExactly("get", "create", "update", "patch");
        });
    }

    @Test
    void aPolicyHoldsEachNodeToItsOwnVscNode() {
        var rendering = of("");
        assertThat(rendering.all(ValidatingAdmissionPolicy.class))
                .singleElement()
                .satisfies(policy -> {
                    assertThat(policy.getSpec().getFailurePolicy()).isEqualTo("Fail");
                    assertThat(policy.getSpec().getMatchConditions())
                            .singleElement()
                            .satisfies(condition -> assertThat(condition.getExpression())
                                    .contains("'system:serviceaccount:somewhere:release-node'"));
                });
        assertThat(rendering.all(ValidatingAdmissionPolicyBinding.class))
                .singleElement()
                .satisfies(binding ->
                        assertThat(binding.getSpec().getValidationActions()).containsExactly("Deny"));
        assertThat(Rendering.of("").all(ValidatingAdmissionPolicy.class)).isEmpty();
    }

    @Test
    void aNodeIsInTheNetworkOfItsMachine() {
        var node = of("").node();
        assertThat(node.getHostNetwork()).isTrue();
        assertThat(node.getDnsPolicy()).isEqualTo("ClusterFirstWithHostNet");
        assertThat(Rendering.container(node, "driver").getSecurityContext().getPrivileged())
                .isTrue();
        assertThat(Rendering.container(node, "driver").getEnv())
                .extracting(EnvVar::getName)
                .contains("NODE_NAME", "STOWAGE_NODE_IP");
        assertThat(Rendering.of("").node().getHostNetwork()).isNull();
    }

    @Test
    void theKeyIsMadeOfThirtyTwoRandomCharactersAndKept() {
        assertThat(of("").all(Secret.class)).singleElement().satisfies(secret -> {
            assertThat(secret.getMetadata().getName()).isEqualTo("release-encryption-secret");
            assertThat(secret.getMetadata().getAnnotations()).containsEntry("helm.sh/resource-policy", "keep");
            assertThat(key(secret)).matches("[A-Za-z0-9]{32}").isNotEqualTo(key(of("").the(Secret.class, "-secret")));
        });
        var given = of("vsc: {encryption: {existingSecret: mine}}");
        assertThat(given.all(Secret.class)).isEmpty();
        assertThat(given.controller().getVolumes())
                .anyMatch(volume -> volume.getSecret() != null
                        && volume.getSecret().getSecretName().equals("mine"));
    }

    private static String key(Secret secret) {
        return new String(
                Base64.getDecoder().decode(secret.getData().get("GLOBAL_ENCRYPTION_KEY")), StandardCharsets.UTF_8);
    }

    @Test
    void trustedCertificatesMayBeWrittenIntoTheValues() {
        var rendering = of("""
                vsc:
                  customTrustedCertificates:
                    plainText: |
                      -----BEGIN CERTIFICATE-----
                      MIIB
                      -----END CERTIFICATE-----
                """);
        assertThat(rendering.the(Secret.class, "-custom-tls-cert").getStringData())
                .containsEntry("trusted.crt", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n");
        assertThat(rendering.controller().getVolumes())
                .anyMatch(volume -> volume.getSecret() != null
                        && volume.getSecret().getSecretName().equals("release-custom-tls-cert"));
    }

    @Test
    void theDefinitionsAreThoseOfTheBackend() {
        assertThat(of("").all(CustomResourceDefinition.class)).hasSize(7).allSatisfy(definition -> {
            assertThat(definition.getSpec().getGroup()).isEqualTo("storage.zadara.com");
            assertThat(definition.getMetadata().getAnnotations()).containsEntry("helm.sh/resource-policy", "keep");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"open-iscsi", "qemu", "auto"})
    void thePodsHaveNoMoreThanTheyNeed(String kind) {
        var pod = of("vsc: {initiator: {kind: " + kind + "}}").controller();
        assertThat(pod.getHostNetwork()).isNull();
        assertThat(pod.getContainers()).allSatisfy(container -> {
            assertThat(container.getSecurityContext().getRunAsNonRoot()).isTrue();
            assertThat(container.getSecurityContext().getCapabilities().getDrop())
                    .containsExactly("ALL");
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "vsc: {allocator: random} | allocator",
                "vsc: {vpsa: {monitorInterval: 50}} | monitorInterval",
                "vsc: {vpsa: {requestTimeout: 3 minutes}} | requestTimeout",
                "vsc: {vpsa: {usetls: true}} | usetls",
                "vsc: {storageNetwork: 10.0.0.1} | storageNetwork",
                "vsc: {stonith: {probeTimeout: soon}} | probeTimeout",
                "vsc: {initiator: {kind: none}} | kind",
                "vsc: {initiator: {directory: run}} | directory",
                "vsc: {stateDirectory: state} | stateDirectory",
                "vsc: {customTrustedCertificates: {plainText: nonsense}} | plainText",
                "vsc: {customTrustedCertificates: {existingSecret: a, plainText: '-----BEGIN CERTIFICATE-----'}} | customTrustedCertificates"
            })
    void whatCannotBeMeantIsRefusedAndNamed(String values, String named) {
        var refused = Rendering.tried("backend: vsc\n" + values);
        assertThat(refused.succeeded()).as(values).isFalse();
        assertThat(refused.stderr()).contains(named);
    }
}
