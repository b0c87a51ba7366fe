package dev.stowage.clustertests.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChartTest {

    private static final String SNAPSHOTS = "snapshot.storage.k8s.io/v1";
    private static final String GROUPS = "groupsnapshot.storage.k8s.io/v1beta1";
    private static final String ATTRIBUTES = "storage.k8s.io/v1beta1/VolumeAttributesClass";
    private static final String MONITORS = "monitoring.coreos.com/v1/ServiceMonitor";

    @Test
    void theChartHasNothingThatHelmComplainsAbout() {
        var lint = Rendering.helm(List.of("lint", "--strict", Rendering.chart().toString()), "");
        assertThat(lint.succeeded()).as(lint.stdout() + lint.stderr()).isTrue();
    }

    @Test
    void theNodeReadsNoSecretsNoClaimsAndNoPods() {
        assertThat(Rendering.of("", SNAPSHOTS, GROUPS).rules("-node"))
                .allSatisfy(rule -> assertThat(rule.getResources())
                        .doesNotContain(
                                "*", "secrets", "pods", "persistentvolumeclaims", "persistentvolumes", "configmaps"))
                .allSatisfy(rule -> assertThat(rule.getVerbs()).doesNotContain("*", "delete"));
    }

    @Test
    void theControllerReadsNoSecretsAndHasNoWildcard() {
        assertThat(Rendering.of("", SNAPSHOTS, GROUPS).rules("-controller")).allSatisfy(rule -> {
            assertThat(rule.getResources()).doesNotContain("*", "secrets");
            assertThat(rule.getVerbs()).doesNotContain("*");
            assertThat(rule.getApiGroups()).doesNotContain("*");
        });
    }

    @Test
    void allOfTheControllerIsConfined() {
        assertThat(Rendering.of("", SNAPSHOTS, GROUPS).controller().getContainers())
                .hasSize(5)
                .allSatisfy(container -> {
                    var context = container.getSecurityContext();
                    assertThat(context.getRunAsNonRoot()).isTrue();
                    assertThat(context.getReadOnlyRootFilesystem()).isTrue();
                    assertThat(context.getAllowPrivilegeEscalation()).isFalse();
                    assertThat(context.getCapabilities().getDrop()).containsExactly("ALL");
                    assertThat(context.getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
                });
    }

    @Test
    void theNodeIsOneContainerUnlessOthersAreAskedFor() {
        assertThat(Rendering.containers(Rendering.of("").node())).containsExactly("driver");
        assertThat(Rendering.containers(Rendering.of("node: {registrar: stowage, liveness: stock}")
                        .node()))
                .containsExactly("driver", "registrar", "liveness");
    }

    @ParameterizedTest
    @CsvSource({"stowage, sidecar", "stock, --csi-address=/csi/csi.sock"})
    void theAttacherIsSwappedByOneValue(String kind, String firstArgument) {
        var attacher = Rendering.container(
                Rendering.of("sidecars: {attacher: {kind: " + kind + "}}").controller(), "attacher");
        assertThat(attacher.getArgs().getFirst()).isEqualTo(firstArgument);
        assertThat(attacher.getArgs()).contains("--csi-address=/csi/csi.sock", "--leader-election");
    }

    @Test
    void snapshotsAreServedWhereTheClusterKnowsThem() {
        assertThat(Rendering.containers(Rendering.of("").controller())).doesNotContain("snapshotter");
        assertThat(Rendering.containers(Rendering.of("", SNAPSHOTS).controller()))
                .contains("snapshotter");
        assertThat(Rendering.container(Rendering.of("", SNAPSHOTS, GROUPS).controller(), "snapshotter")
                        .getArgs())
                .contains("--feature-gates=CSIVolumeGroupSnapshot=true");
    }

    /** It would wait for what is not there, and make no snapshots at all. */
    @Test
    void theSnapshotterIsToldOfGroupsWhereTheVersionIsServedThatItUses() {
        String newer = "groupsnapshot.storage.k8s.io/v1";
        assertThat(snapshotterArguments("", newer)).noneMatch(ChartTest::isAboutGroups);
        String next = "sidecars: {snapshotter: {image: registry.k8s.io/sig-storage/csi-snapshotter:v8.6.1@sha256:0}}";
        assertThat(snapshotterArguments(next, newer)).anyMatch(ChartTest::isAboutGroups);
        assertThat(snapshotterArguments(next, GROUPS)).noneMatch(ChartTest::isAboutGroups);
    }

    private static List<String> snapshotterArguments(String values, String groups) {
        return Rendering.container(Rendering.of(values, SNAPSHOTS, groups).controller(), "snapshotter")
                .getArgs();
    }

    private static boolean isAboutGroups(String argument) {
        return argument.contains("CSIVolumeGroupSnapshot");
    }

    @Test
    void theGateOfVolumeAttributesIsOpenWhereTheSidecarsCanReadTheClass() {
        for (String sidecar : List.of("provisioner", "resizer")) {
            assertThat(Rendering.container(Rendering.of("").controller(), sidecar)
                            .getArgs())
                    .noneMatch(argument -> argument.contains("VolumeAttributesClass"));
            assertThat(Rendering.container(Rendering.of("", ATTRIBUTES).controller(), sidecar)
                            .getArgs())
                    .anyMatch(argument -> argument.contains("VolumeAttributesClass=true"));
        }
    }

    @Test
    void aServiceMonitorIsMadeWhereTheClusterKnowsThatKind() {
        assertThat(Rendering.of("").all(GenericKubernetesResource.class)).isEmpty();
        assertThat(Rendering.of("", MONITORS).all(GenericKubernetesResource.class))
                .extracting(GenericKubernetesResource::getKind)
                .containsExactly("ServiceMonitor");
    }

    @Test
    void definitionsComeWithTheChartAndStayWithoutIt() {
        assertThat(Rendering.of("").all(CustomResourceDefinition.class))
                .hasSize(4)
                .allSatisfy(definition -> assertThat(definition.getMetadata().getAnnotations())
                        .containsEntry("helm.sh/resource-policy", "keep"));
        assertThat(Rendering.of("crds: {install: false}").all(CustomResourceDefinition.class))
                .isEmpty();
    }

    @Test
    void volumesAreMadeWhereTheirFirstPodRuns() {
        assertThat(Rendering.of("").all(StorageClass.class)).singleElement().satisfies(storageClass -> {
            assertThat(storageClass.getVolumeBindingMode()).isEqualTo("WaitForFirstConsumer");
            assertThat(storageClass.getAllowVolumeExpansion()).isTrue();
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "drivername: x | drivername",
                "driverName: 'a/b' | driverName",
                "backend: nfs | backend",
                "controller: {replicas: 0} | replicas",
                "local: {pool: {directory: relative}} | directory",
                "local: {pool: {device: sda}} | device",
                "local: {pool: {imageSize: 10 gigabytes}} | imageSize",
                "node: {registrar: none} | registrar",
                "sidecars: {attacher: {kind: ours}} | kind",
                "storageClasses: [{parameters: {}}] | name",
                "metrics: {port: 0} | port"
            })
    void whatCannotBeMeantIsRefusedAndNamed(String values, String named) {
        var refused = Rendering.tried(values);
        assertThat(refused.succeeded()).as(values).isFalse();
        assertThat(refused.stderr()).contains(named);
    }
}
