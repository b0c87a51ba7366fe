package dev.stowage.clustertests.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Storage clients and the driver that comes with them, where they are wanted. */
class ClientsChartTest {

    private static final String GROUP = "weka.weka.io";
    private static final String ON = "manager: {enabled: true, clients: true}\n";

    /** What a release with clients has for its driver. */
    private static Rendering with(String csi) {
        return Rendering.of(ON + csi);
    }

    /** What the manager reads. */
    private static Map<?, ?> configuration(Rendering rendering) {
        var map = rendering.the(ConfigMap.class, "stowage-weka");
        assertThat(map.getData()).containsOnlyKeys("csi.yaml");
        return new KubernetesSerialization()
                .unmarshal(Objects.requireNonNull(map.getData().get("csi.yaml")), Map.class);
    }

    private static List<String> arguments(Rendering rendering) {
        var pod = rendering
                .the(Deployment.class, "-manager")
                .getSpec()
                .getTemplate()
                .getSpec();
        return Rendering.container(pod, "manager").getArgs();
    }

    private static Stream<CustomResourceDefinition> definitions(Rendering rendering) {
        return rendering
                .all(CustomResourceDefinition.class)
                .filter(definition -> definition.getSpec().getGroup().equals(GROUP));
    }

    @Test
    void aManagerWithoutClientsHasNothingOfThem() {
        var rendering = Rendering.of("manager: {enabled: true}");

        assertThat(rendering.all(ConfigMap.class)).isEmpty();
        assertThat(definitions(rendering)).isEmpty();
        assertThat(rendering.rules("-manager"))
                .noneMatch(rule -> rule.getApiGroups().contains(GROUP))
                .noneMatch(rule -> rule.getResources().contains("configmaps"));
        assertThat(arguments(rendering)).noneMatch(argument -> argument.startsWith("--weka"));
    }

    @Test
    void withUntouchedValuesTheDriverIsThatOfTheOriginalAndOff() {
        assertThat(configuration(with("")))
                .isEqualTo(Map.ofEntries(
                        Map.entry("installationEnabled", false),
                        Map.entry("namespace", "weka-operator-system"),
                        Map.entry("driverVersion", "2.7.2"),
                        Map.entry("image", "quay.io/weka.io/csi-wekafs:v2.7.2"),
                        Map.entry("provisionerImage", "registry.k8s.io/sig-storage/csi-provisioner:v5.1.0"),
                        Map.entry("attacherImage", "registry.k8s.io/sig-storage/csi-attacher:v4.8.0"),
                        Map.entry("livenessProbeImage", "registry.k8s.io/sig-storage/livenessprobe:v2.15.0"),
                        Map.entry("resizerImage", "registry.k8s.io/sig-storage/csi-resizer:v1.13.1"),
                        Map.entry("snapshotterImage", "registry.k8s.io/sig-storage/csi-snapshotter:v8.2.0"),
                        Map.entry("registrarImage", "registry.k8s.io/sig-storage/csi-node-driver-registrar:v2.13.0"),
                        Map.entry("storageClassCreationDisabled", false),
                        Map.entry("preventNewWorkloadOnClientContainerNotRunning", true),
                        Map.entry("keepNodeServerUntilUnmounted", false),
                        Map.entry("adopt", false),
                        Map.entry("filesystemName", "default"),
                        Map.entry("storageClassParameters", Map.of()),
                        Map.entry("logLevel", 5),
                        Map.entry("controllerReplicas", 2),
                        Map.entry("controllerResources", Map.of()),
                        Map.entry("nodeResources", Map.of()),
                        Map.entry("controllerTemplate", Map.of()),
                        Map.entry("nodeTemplate", Map.of())));
    }

    /** By these the manager's own tests make the objects that people have read. */
    @Test
    void untouchedValuesArriveAsTheyAreWritten() throws IOException {
        Map<?, ?> written = new KubernetesSerialization()
                .unmarshal(Files.readString(Rendering.chart().resolve("values.yaml")), Map.class);

        assertThat(configuration(with(""))).isEqualTo(written.get("csi"));
    }

    @Test
    void whatIsSetArrivesAsItIs() {
        Map<?, ?> configuration = configuration(with("""
                csi:
                  installationEnabled: true
                  driverVersion: "3.0"
                  storageClassParameters: {pool: "7", thin: "true"}
                  controllerResources: {limits: {memory: 1Gi}}
                  nodeTemplate: {spec: {containers: [{name: driver, args: ["--name=$(CSI_DRIVER_NAME)"]}]}}
                """));

        assertThat(configuration.get("installationEnabled")).isEqualTo(true);
        assertThat(configuration.get("driverVersion"))
                .as("a text, not a number")
                .isEqualTo("3.0");
        assertThat(configuration.get("storageClassParameters")).isEqualTo(Map.of("pool", "7", "thin", "true"));
        assertThat(configuration.get("controllerResources")).isEqualTo(Map.of("limits", Map.of("memory", "1Gi")));
        assertThat(configuration.get("nodeTemplate"))
                .isEqualTo(Map.of(
                        "spec",
                        Map.of(
                                "containers",
                                List.of(Map.of("name", "driver", "args", List.of("--name=$(CSI_DRIVER_NAME)"))))));
    }

    @Test
    void theExampleWithADriverOfOurOwnIsOneThatTheChartTakes() throws IOException {
        var values = Rendering.chart().resolve("../../docs/examples/clients-local-values.yaml");

        assertThat(configuration(Rendering.of(Files.readString(values))).get("storageClassParameters"))
                .isEqualTo(Map.of("provisioning", "thin"));
    }

    @Test
    void theManagerKnowsWhereItsConfigurationIsAndIsNotRestartedByAChangeOfIt() {
        var off = with("");
        var on = with("csi: {installationEnabled: true, logLevel: 9}");

        assertThat(off.the(ConfigMap.class, "stowage-weka").getMetadata().getNamespace())
                .isEqualTo("somewhere");
        assertThat(arguments(off)).contains("--weka-config=somewhere/stowage-weka");
        assertThat(on.the(Deployment.class, "-manager")).isEqualTo(off.the(Deployment.class, "-manager"));
    }

    @Test
    void theDefinitionsComeWithItAndStay() {
        assertThat(definitions(with("")))
                .allSatisfy(definition -> assertThat(definition.getMetadata().getAnnotations())
                        .containsEntry("helm.sh/resource-policy", "keep"))
                .extracting(definition -> definition.getSpec().getNames().getPlural())
                .containsExactlyInAnyOrder("wekaclients", "wekacontainers", "wekaclusters");
        assertThat(definitions(with("crds: {install: false}"))).isEmpty();
    }

    @Test
    void theManagerMayDoWhatClientsNeedAndReadsConfigurationInItsNamespaceOnly() {
        var rendering = with("");
        var everywhere = rendering.the(ClusterRole.class, "-manager").getRules();

        assertThat(verbs(everywhere, GROUP, "wekaclients")).contains("get", "list", "watch", "patch");
        assertThat(verbs(everywhere, GROUP, "wekaclients")).doesNotContain("create", "delete");
        assertThat(verbs(everywhere, GROUP, "wekacontainers")).contains("create", "update", "patch", "delete");
        assertThat(verbs(everywhere, GROUP, "wekaclients/status")).contains("update", "patch");
        assertThat(verbs(everywhere, GROUP, "wekacontainers/status")).contains("update", "patch");
        assertThat(verbs(everywhere, GROUP, "wekaclusters")).containsExactly("get", "list", "watch");
        assertThat(verbs(everywhere, "", "configmaps")).isEmpty();

        var here = rendering.the(Role.class, "-manager");
        assertThat(here.getMetadata().getNamespace()).isEqualTo("somewhere");
        assertThat(verbs(here.getRules(), "", "configmaps")).containsExactly("get", "list", "watch");
        var binding = rendering.the(RoleBinding.class, "-manager");
        assertThat(binding.getRoleRef().getName()).isEqualTo(here.getMetadata().getName());
        assertThat(binding.getSubjects())
                .singleElement()
                .satisfies(subject -> assertThat(subject.getName()).isEqualTo("release-manager"));
    }

    private static Stream<String> verbs(List<PolicyRule> rules, String group, String resource) {
        return rules.stream()
                .filter(rule -> rule.getApiGroups().contains(group)
                        && rule.getResources().contains(resource))
                .flatMap(rule -> rule.getVerbs().stream());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "csi: {installationEnabled: true} | set manager.enabled and manager.clients to true",
                "{manager: {enabled: true}, csi: {installationEnabled: true}} | set manager.enabled and manager.clients to true",
                "manager: {clients: true} | set manager.enabled to true"
            })
    void whatNobodyWouldBringAboutIsRefusedWithTheWayOut(String values, String wayOut) {
        var refused = Rendering.tried(values);
        assertThat(refused.succeeded()).as(values).isFalse();
        assertThat(refused.stderr()).contains(wayOut);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "manager: {clients: sometimes} | clients",
                "csi: {installationenabled: true} | installationenabled",
                "csi: {installationEnabled: 1} | installationEnabled",
                "csi: {namespace: Not_A_Namespace} | namespace",
                "csi: {driverVersion: 2.7} | driverVersion",
                "csi: {image: \"\"} | image",
                "csi: {provisionerImage: {repository: x}} | provisionerImage",
                "csi: {attacherImage: \"\"} | attacherImage",
                "csi: {livenessProbeImage: []} | livenessProbeImage",
                "csi: {resizerImage: \"\"} | resizerImage",
                "csi: {snapshotterImage: 8} | snapshotterImage",
                "csi: {registrarImage: \"\"} | registrarImage",
                "csi: {storageClassCreationDisabled: never} | storageClassCreationDisabled",
                "csi: {preventNewWorkloadOnClientContainerNotRunning: 0} | preventNewWorkloadOnClientContainerNotRunning",
                "csi: {keepNodeServerUntilUnmounted: 5m} | keepNodeServerUntilUnmounted",
                "csi: {adopt: Consent} | adopt",
                "csi: {filesystemName: \"\"} | filesystemName",
                "csi: {storageClassParameters: {thin: true}} | storageClassParameters",
                "csi: {logLevel: 10} | logLevel",
                "csi: {logLevel: -1} | logLevel",
                "csi: {logLevel: info} | logLevel",
                "csi: {controllerReplicas: 0} | controllerReplicas",
                "csi: {controllerResources: small} | controllerResources",
                "csi: {nodeResources: []} | nodeResources",
                "csi: {controllerTemplate: []} | controllerTemplate",
                "csi: {nodeTemplate: driver} | nodeTemplate"
            })
    void whatCannotBeMeantIsRefusedAndNamed(String values, String named) {
        var refused = Rendering.tried(values);
        assertThat(refused.succeeded()).as(values).isFalse();
        assertThat(refused.stderr()).contains(named);
    }
}
