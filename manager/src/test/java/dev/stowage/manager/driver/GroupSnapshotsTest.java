package dev.stowage.manager.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Spec;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GroupSnapshotsTest {

    private static final String GROUP = "groupsnapshot.storage.k8s.io/";
    private static final Set<String> ALL =
            Set.of("volumegroupsnapshots", "volumegroupsnapshotclasses", "volumegroupsnapshotcontents");
    private static final Optional<Report> ABLE =
            Optional.of(new Report("d", "1", Set.of("CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT")));

    private static Spec spec(String fields) {
        return spec(fields, "{name: csi-driver, image: driver}");
    }

    private static Spec spec(String fields, String containers) {
        return new KubernetesSerialization()
                .unmarshal("""
                        apiVersion: csidriver.storage.openshift.io/v1alpha1
                        kind: CSIDriverDeployment
                        metadata: {name: d}
                        spec: {driverControllerTemplate: {spec: {containers: [%s]}}%s}
                        """.formatted(containers, fields), CsiDriverDeployment.class)
                .getSpec();
    }

    private static GroupSnapshots in(String image, Map<String, Set<String>> served) {
        return new GroupSnapshots(
                SidecarImages.of("stowage:1", "provisioner:1", "resizer:1", image),
                version -> served.getOrDefault(version, Set.of()));
    }

    @Test
    void aClusterWithoutTheirResourcesHasNoneAndItIsToldWhatIsMissing() {
        assertThat(in("registry/csi-snapshotter:v8.3.0", Map.of()).leftOut(spec(""), ABLE))
                .hasValueSatisfying(why -> assertThat(why)
                        .contains(GROUP + "v1beta1", "registry/csi-snapshotter:v8.3.0", "groupSnapshots to Never"));
    }

    @ParameterizedTest
    @CsvSource({
        "registry/csi-snapshotter:v8.2.1, v1beta1",
        "registry/csi-snapshotter:v8.3.0, v1beta1",
        "registry:5000/csi-snapshotter:v8.4.0@sha256:00, v1beta2",
        "snapshotter:8.5, v1beta2",
        "snapshotter:v8.6.0-rc.1, v1",
        "snapshotter:v9.0.0, v1",
        "registry:5000/snapshotter, v1beta1",
        "snapshotter:test, v1beta1",
    })
    void whatCountsIsTheVersionThatTheSnapshotterUses(String image, String version) {
        var other = version.equals("v1") ? "v1beta1" : "v1";

        assertThat(in(image, Map.of(GROUP + version, ALL)).leftOut(spec(""), ABLE))
                .isEmpty();
        assertThat(in(image, Map.of(GROUP + other, ALL)).leftOut(spec(""), ABLE))
                .hasValueSatisfying(why -> assertThat(why).contains(GROUP + version));
    }

    @Test
    void theImageThatADeploymentNamesIsTheOneThatCounts() {
        var groups = in("registry/csi-snapshotter:v8.3.0", Map.of(GROUP + "v1beta1", ALL));

        assertThat(groups.leftOut(spec(", containerImages: {snapshotterImage: 'mine:v8.6.0'}"), ABLE))
                .hasValueSatisfying(why -> assertThat(why).contains(GROUP + "v1,", "mine:v8.6.0"));
        assertThat(groups.leftOut(spec(", containerImages: {snapshotterImage: 'mine:v8.1.0'}"), ABLE))
                .hasValueSatisfying(why -> assertThat(why).contains("mine:v8.1.0", "older"));
    }

    @Test
    void allThatItWaitsForHasToBeThere() {
        assertThat(in("s:v8.3.0", Map.of(GROUP + "v1beta1", Set.of("volumegroupsnapshots")))
                        .leftOut(spec(""), ABLE))
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"groupSnapshots: Always", "groupSnapshots: Never", "snapshotter: Never"})
    void whoDecidesHimselfIsToldNothing(String sidecars) {
        assertThat(in("s:v8.3.0", Map.of()).leftOut(spec(", sidecars: {%s}".formatted(sidecars)), ABLE))
                .isEmpty();
    }

    @Test
    void nothingIsAskedForADriverThatCannotMakeThemOrBringsItsSnapshotterAlong() {
        var unasked =
                new GroupSnapshots(SidecarImages.of("stowage:1", "provisioner:1", "resizer:1", "s:v8.3.0"), version -> {
                    throw new AssertionError("the cluster was asked for " + version);
                });

        assertThat(unasked.leftOut(spec(""), Report.NONE)).isEmpty();
        assertThat(unasked.leftOut(
                        spec("", "{name: csi-driver, image: driver}, {name: s, image: 'registry/csi-snapshotter:v8'}"),
                        ABLE))
                .isEmpty();
    }
}
