package dev.stowage.manager.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.manager.DeploymentNames;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What templates can bring along, and what they can leave out. */
class TemplatesTest {

    private static final String DRIVER = "{name: csi-driver, image: driver, securityContext: {privileged: true}}";

    /** @param node the spec of its template, as is the controller's */
    private static CsiDriverDeployment deployment(String node, String controller) {
        return new KubernetesSerialization().unmarshal("""
                        apiVersion: csidriver.storage.openshift.io/v1alpha1
                        kind: CSIDriverDeployment
                        metadata: {name: csi-hostpath, namespace: hostpath, uid: 0000-1111}
                        spec:
                          driverName: csi-hostpath
                          driverSocket: /run/csi/csi.sock
                          driverPerNodeTemplate: {spec: %s}
                          driverControllerTemplate: {spec: %s}
                        """.formatted(node, controller), CsiDriverDeployment.class);
    }

    private static List<String> problems(CsiDriverDeployment deployment) {
        return Validation.problems("driver", deployment.getSpec());
    }

    private static List<HasMetadata> objects(CsiDriverDeployment deployment) {
        var settings = new RenderingSettings(
                SidecarImages.of("stowage:1", "provisioner:1", "resizer:1", "snapshotter:1"),
                "/var/lib/kubelet",
                Map.of(),
                1);
        return new Rendering(
                        deployment.getSpec(),
                        new DeploymentNames(deployment),
                        Habits.USUAL,
                        settings,
                        Report.NONE,
                        Volumes.NONE)
                .objects();
    }

    private static List<HasMetadata> rendered(String node, String controller) {
        var deployment = deployment(node, controller);
        assertThat(problems(deployment)).isEmpty();
        return objects(deployment);
    }

    private static <T> T only(Class<T> type, List<HasMetadata> objects) {
        return objects.stream()
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst()
                .orElseThrow();
    }

    private static String with(String fields) {
        return "{containers: [%s], %s}".formatted(DRIVER, fields);
    }

    @Test
    void anAccountThatIsNamedByTheFieldOfBeforeIsUsed() {
        var objects = rendered(with("serviceAccount: mine"), with("serviceAccount: mine"));

        assertThat(objects).noneMatch(ServiceAccount.class::isInstance).noneMatch(ClusterRole.class::isInstance);
        var pod = only(DaemonSet.class, objects).getSpec().getTemplate().getSpec();
        assertThat(pod.getServiceAccount()).isEqualTo("mine");
        assertThat(pod.getServiceAccountName()).isNull();
    }

    @Test
    void aSidecarThatStartsBeforeTheDriverHasItsRightsAndIsNotAddedAgain() {
        String controller =
                with("initContainers: [{name: mine, image: 'registry/csi-provisioner:5', restartPolicy: Always}]");
        var objects = rendered("{containers: [%s]}".formatted(DRIVER), controller);

        assertThat(only(Deployment.class, objects)
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers())
                .extracting(Container::getName)
                .containsExactly("csi-driver", "csi-attacher", "csi-probe");
        assertThat(rights(objects)).contains("storageclasses");
    }

    @Test
    void oneInThePodOfANodeHasItsRights() {
        String node =
                with("initContainers: [{name: mine, image: 'registry/csi-snapshotter:8', restartPolicy: Always}]");

        assertThat(rights(rendered(node, with("")))).contains("volumesnapshotcontents/status");
    }

    @Test
    void whatEndsBeforeTheDriverStartsIsNoSidecar() {
        String node = with("initContainers: [{name: mine, image: 'registry/csi-snapshotter:8'}]");

        assertThat(rights(rendered(node, with("")))).doesNotContain("volumesnapshotcontents/status");
    }

    private static List<String> rights(List<HasMetadata> objects) {
        return only(ClusterRole.class, objects).getRules().stream()
                .flatMap(rule -> rule.getResources().stream())
                .toList();
    }

    @Test
    void noContainerThatStartsBeforeTheDriverHasTheNameOfASidecar() {
        assertThat(problems(deployment(with(""), with("initContainers: [{name: csi-attacher, image: mine}]"))))
                .singleElement()
                .asString()
                .contains("driverControllerTemplate", "csi-attacher");
    }

    @Test
    void allThatIsNothingInAListIsToldWithTheRestThatIsWrong() {
        var deployment = deployment(
                "{containers: [null, {name: csi-driver, image: driver, command: [run, null]}], volumes: [null]}",
                "{containers: [null]}");

        assertThat(problems(deployment))
                .hasSize(6)
                .anySatisfy(problem -> assertThat(problem).contains("spec.driverPerNodeTemplate.spec.containers[0]: "))
                .anySatisfy(problem ->
                        assertThat(problem).contains("spec.driverPerNodeTemplate.spec.containers[1].command[1]: "))
                .anySatisfy(problem -> assertThat(problem).contains("spec.driverPerNodeTemplate.spec.volumes[0]: "))
                .anySatisfy(problem -> assertThat(problem).contains("is not privileged"))
                .anySatisfy(
                        problem -> assertThat(problem).contains("spec.driverControllerTemplate.spec.containers[0]: "))
                .anySatisfy(problem -> assertThat(problem).contains("driverControllerTemplate: has no container"));
    }

    @Test
    void anExpressionThatCannotSelectPodsIsTold() {
        var deployment = new KubernetesSerialization().unmarshal("""
                apiVersion: csidriver.storage.openshift.io/v1alpha1
                kind: CSIDriverDeployment
                metadata: {name: csi-hostpath}
                spec:
                  driverName: csi-hostpath
                  driverSocket: /run/csi/csi.sock
                  driverPerNodeTemplate: {spec: {containers: [%s]}}
                  besidePods: {selector: {matchExpressions: [{key: app, operator: Resembles, values: [client]}, {key: app, operator: Exists}]}}
                """.formatted(DRIVER), CsiDriverDeployment.class);

        assertThat(problems(deployment))
                .singleElement()
                .asString()
                .contains("besidePods.selector.matchExpressions", "Resembles");
    }

    @Test
    void whatNobodyThoughtOfIsToldAndNotTakenForAFailureOfToday() {
        var unthinkable = deployment("{containers: [null]}", "{containers: [null]}");

        assertThatThrownBy(() -> objects(unthinkable))
                .isInstanceOf(NotUnderstood.class)
                .hasMessageContaining("NullPointerException");
    }
}
