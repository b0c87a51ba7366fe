package dev.stowage.manager.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.manager.DeploymentNames;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What templates can bring along, and what they can leave out. */
class TemplatesTest {

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
    void whatNobodyThoughtOfIsToldAndNotTakenForAFailureOfToday() {
        var unthinkable = deployment("{containers: [null]}", "{containers: [null]}");

        assertThatThrownBy(() -> objects(unthinkable))
                .isInstanceOf(NotUnderstood.class)
                .hasMessageContaining("NullPointerException");
    }
}
