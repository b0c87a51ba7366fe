package dev.stowage.clustertests.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The initiators that the chart gives to nodes. */
class InitiatorChartTest {

    private static Rendering of(String values) {
        return Rendering.of("backend: vsc\n" + values);
    }

    private static List<String> driver(PodSpec pod) {
        return Rendering.container(pod, "driver").getArgs();
    }

    @Test
    void anInitiatorWithoutAKernelIsAPodThatNeitherAnUpgradeNorARemovalEnds() {
        var initiator = of("").the(DaemonSet.class, "-initiator");
        assertThat(initiator.getMetadata().getAnnotations()).containsEntry("helm.sh/resource-policy", "keep");
        assertThat(initiator.getSpec().getUpdateStrategy().getType()).isEqualTo("OnDelete");
        var pod = initiator.getSpec().getTemplate().getSpec();
        assertThat(pod.getAutomountServiceAccountToken()).isFalse();
        assertThat(pod.getServiceAccountName()).isNull();
        assertThat(pod.getHostNetwork()).isTrue();
    }

    /** Mounts made by the one are seen by the other, at the same path, and the socket is where both expect it. */
    @Test
    void theDriverMeetsTheInitiatorInOneDirectoryOfTheNode() {
        var rendering = of("vsc: {initiator: {kind: qemu}}");
        var container = Rendering.container(
                rendering
                        .the(DaemonSet.class, "-initiator")
                        .getSpec()
                        .getTemplate()
                        .getSpec(),
                "initiator");
        var shared = mount(container.getVolumeMounts(), "directory");
        assertThat(shared.getMountPropagation()).isEqualTo("Bidirectional");
        assertThat(container.getArgs()).contains("--directory=$(INITIATOR_DIRECTORY)");
        assertThat(container.getEnv())
                .singleElement()
                .satisfies(variable -> assertThat(variable.getValue()).isEqualTo(shared.getMountPath()));

        var seen = mount(Rendering.container(rendering.node(), "driver").getVolumeMounts(), "initiator");
        assertThat(seen.getMountPath()).isEqualTo(shared.getMountPath());
        assertThat(seen.getMountPropagation()).isEqualTo("HostToContainer");
        assertThat(driver(rendering.node()))
                .contains("--initiator=qemu", "--initiator-directory=" + shared.getMountPath());
    }

    private static VolumeMount mount(List<VolumeMount> mounts, String name) {
        return mounts.stream()
                .filter(mount -> mount.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void withTheKernelsInitiatorThereIsNoOther() {
        var rendering = of("vsc: {initiator: {kind: open-iscsi}}");
        assertThat(rendering.find(DaemonSet.class, "-initiator")).isEmpty();
        assertThat(driver(rendering.node()))
                .contains("--initiator=open-iscsi")
                .noneMatch(argument -> argument.startsWith("--initiator-directory"));
        assertThat(of("vsc: {initiator: {kind: qemu}}").node().getVolumes())
                .noneMatch(volume -> volume.getName().startsWith("iscsi"));
    }
}
