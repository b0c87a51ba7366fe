package dev.stowage.clustertests.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The manager of drivers, where it is wanted. */
class ManagerChartTest {

    private static final String DEFINITION = "csidriverdeployments.csidriver.storage.openshift.io";

    private static Rendering of(String values) {
        return Rendering.of("manager: {enabled: true" + (values.isEmpty() ? "" : ", " + values) + "}");
    }

    private static PodSpec pod(Rendering rendering) {
        return rendering
                .the(Deployment.class, "-manager")
                .getSpec()
                .getTemplate()
                .getSpec();
    }

    private static List<String> arguments(Rendering rendering) {
        return Rendering.container(pod(rendering), "manager").getArgs();
    }

    @Test
    void whoDoesNotAskForItGetsNothingOfIt() {
        assertThat(Rendering.of("").objects())
                .noneMatch(object -> object.getMetadata().getName().contains("manager")
                        || object.getMetadata().getName().equals(DEFINITION));
    }

    @Test
    void theDefinitionComesWithItAndStays() {
        assertThat(of("").all(CustomResourceDefinition.class))
                .hasSize(5)
                .filteredOn(definition -> definition.getMetadata().getName().equals(DEFINITION))
                .singleElement()
                .satisfies(definition -> assertThat(definition.getMetadata().getAnnotations())
                        .containsEntry("helm.sh/resource-policy", "keep"));
    }

    @Test
    void aReleaseWithoutADriverHasTheManagerAndNothingElse() {
        var rendering = Rendering.of("{backend: none, manager: {enabled: true}}");

        assertThat(rendering.objects())
                .extracting(HasMetadata::getKind)
                .containsExactlyInAnyOrder(
                        "PodDisruptionBudget",
                        "ServiceAccount",
                        "CustomResourceDefinition",
                        "ClusterRole",
                        "ClusterRoleBinding",
                        "Service",
                        "Deployment");
        assertThat(Rendering.tried("backend: none").succeeded()).isFalse();
    }

    @Test
    void theManagerTakesTheImagesOfTheChart() {
        assertThat(arguments(Rendering.of("""
                        manager: {enabled: true, protectVolumes: true, infrastructureNodes: {role/infra: ""}, controllerReplicas: 3}
                        image: {repository: here/stowage, tag: "7"}
                        kubeletDirectory: /kubelet
                        sidecars: {provisioner: {image: "p:1"}, resizer: {image: "r:1"}, snapshotter: {image: "s:1"}}
                        """)))
                .startsWith("manager", "--namespace=$(NAMESPACE)")
                .contains(
                        "--image=here/stowage:7",
                        "--provisioner-image=p:1",
                        "--resizer-image=r:1",
                        "--snapshotter-image=s:1",
                        "--kubelet-directory=/kubelet",
                        "--infrastructure-nodes=role/infra=",
                        "--controller-replicas=3",
                        "--protect-volumes",
                        "--rollout-deadline=300",
                        "--http-address=:9808");
        assertThat(arguments(of("")))
                .doesNotContain("--protect-volumes")
                .noneMatch(argument -> argument.startsWith("--infrastructure-nodes"));
    }

    @Test
    void theManagerIsConfinedAndSeveralStandByForOne() {
        var rendering = of("");
        assertThat(rendering.the(Deployment.class, "-manager").getSpec().getReplicas())
                .isEqualTo(2);
        assertThat(rendering.all(PodDisruptionBudget.class))
                .anyMatch(budget -> budget.getMetadata().getName().endsWith("-manager"));
        assertThat(of("replicas: 1").all(PodDisruptionBudget.class))
                .noneMatch(budget -> budget.getMetadata().getName().endsWith("-manager"));
        assertThat(pod(rendering).getPriorityClassName()).isEqualTo("system-cluster-critical");
        assertThat(pod(rendering).getContainers()).singleElement().satisfies(container -> {
            var context = container.getSecurityContext();
            assertThat(context.getRunAsNonRoot()).isTrue();
            assertThat(context.getReadOnlyRootFilesystem()).isTrue();
            assertThat(context.getAllowPrivilegeEscalation()).isFalse();
            assertThat(context.getCapabilities().getDrop()).containsExactly("ALL");
            assertThat(container.getLivenessProbe().getHttpGet().getPath()).isEqualTo("/healthz");
            assertThat(container.getReadinessProbe().getHttpGet().getPath()).isEqualTo("/readyz");
            assertThat(container.getPorts())
                    .as("the Service and the ServiceMonitor of all pods find it")
                    .anyMatch(port -> port.getName().equals("metrics"));
        });
    }

    /** What is in the rules is held against what the manager grants, and tried, elsewhere. */
    @Test
    void theManagerHasTheRulesOfTheirFileThroughAnAccountOfItsOwn() {
        var rendering = of("");
        assertThat(rendering.rules("-manager").count()).isGreaterThan(20);
        assertThat(rendering.all(ServiceAccount.class))
                .anyMatch(account -> account.getMetadata().getName().equals("release-manager"));
        assertThat(rendering.the(ClusterRoleBinding.class, "-manager").getSubjects())
                .singleElement()
                .satisfies(subject -> assertThat(subject.getName()).isEqualTo("release-manager"));
        assertThat(pod(rendering).getServiceAccountName()).isEqualTo("release-manager");
    }

    @Test
    void theDashboardArrivesAsItIsAndWhereGrafanaLooks() throws IOException {
        assertThat(of("").all(ConfigMap.class)).isEmpty();
        var file = Files.readString(
                Rendering.chart().resolve("files").resolve("dashboards").resolve("manager.json"));
        assertThat(of("dashboard: {enabled: true}").all(ConfigMap.class))
                .singleElement()
                .satisfies(map -> {
                    assertThat(map.getMetadata().getLabels()).containsEntry("grafana_dashboard", "1");
                    String arrived = Objects.requireNonNull(map.getData().get("stowage-manager.json"));
                    assertThat(read(arrived)).isEqualTo(read(file));
                });
    }

    private static Map<?, ?> read(String json) {
        return new KubernetesSerialization().unmarshal(json, Map.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "manager: {enabled: maybe} | enabled",
                "manager: {replicas: 0} | replicas",
                "manager: {controllerReplicas: 0} | controllerReplicas",
                "manager: {rolloutDeadlineSeconds: 5m} | rolloutDeadlineSeconds",
                "manager: {infrastructureNodes: [infra]} | infrastructureNodes",
                "manager: {protectvolumes: true} | protectvolumes",
                "manager: {dashboard: true} | dashboard"
            })
    void whatCannotBeMeantIsRefusedAndNamed(String values, String named) {
        var refused = Rendering.tried(values);
        assertThat(refused.succeeded()).as(values).isFalse();
        assertThat(refused.stderr()).contains(named);
    }
}
