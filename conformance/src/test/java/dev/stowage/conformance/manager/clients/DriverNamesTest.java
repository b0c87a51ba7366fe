package dev.stowage.conformance.manager.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.manager.Lasting;
import dev.stowage.conformance.pool.Eventually;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a driver is called, by what its client and its cluster say. */
class DriverNamesTest {

    private static final String CLUSTER = "cluster";

    @RegisterExtension
    static final Lasting<ClientsPlane> PLANE = ClientsPlane.shared();

    /** Without a group, as most have none. */
    private static DeployedClient apply(Consumer<Map<String, Object>> change) {
        return DeployedClient.nothing(PLANE.get(), 1).apply(spec -> {
            spec.remove("csiGroup");
            change.accept(spec);
        });
    }

    private static DeployedClient targeting(Map<String, Object> ofTheCluster, Consumer<Map<String, Object>> change) {
        var deployed = DeployedClient.nothing(PLANE.get(), 1);
        PLANE.get().makeCluster(deployed.namespace(), CLUSTER, ofTheCluster);
        return deployed.apply(spec -> {
            spec.remove("csiGroup");
            target(spec, deployed.namespace());
            change.accept(spec);
        });
    }

    private static void target(Map<String, Object> spec, String namespace) {
        spec.put("targetCluster", Map.of("name", CLUSTER, "namespace", namespace));
    }

    /** It is there under this name, and nothing of it is left when its client goes. */
    private static void assertThatItIsCalled(String name, DeployedClient deployed) {
        deployed.awaitDeployed();
        var csi = PLANE.get().csi(name);
        assertThat(deployed.status().csiDriverName()).isEqualTo(name);
        assertThat(csi.driverObject().get()).isNotNull();
        assertThat(csi.storageClass().get().getProvisioner()).isEqualTo(name);
        assertThat(csi.direct().get().getProvisioner()).isEqualTo(name);
        assertThat(csi.controller().get()).isNotNull();
        Eventually.assertThat(() -> assertThat(csi.nodeServers()).hasSize(1));
        deployed.delete();
        assertThat(csi.traces()).isEmpty();
    }

    @Test
    void withoutAnythingItIsTheUsualOne() {
        assertThatItIsCalled("csi.weka.io", apply(spec -> {}));
    }

    @ParameterizedTest
    @CsvSource({
        "groupName, csi.group-name.weka.io",
        "second, csi.second.weka.io",
        "'My group_№ 1!', csi.my-group-1.weka.io",
        "'--a..b--', csi.a-b.weka.io",
        "csi, csi.weka.io",
    })
    void aGroupIsPartOfIt(String group, String name) {
        assertThatItIsCalled(name, apply(spec -> spec.put("csiConfig", Map.of("csiGroup", group))));
    }

    @Test
    void aGroupMayBeWhereTheFirstVersionHadIt() {
        assertThatItIsCalled("csi.another-group.weka.io", apply(spec -> spec.put("csiGroup", "anotherGroup")));
    }

    @Test
    void aWholeNameIsTakenAsItIs() {
        assertThatItIsCalled(
                "some.driver-1.example.com",
                apply(spec -> spec.put("csiConfig", Map.of("csiDriverName", "some.driver-1.example.com"))));
    }

    @Test
    void aTargetClusterGivesItsNameAndItsSecret() {
        var deployed = targeting(Map.of(), spec -> spec.put("csiGroup", "notUsed"));
        String name = "csi.cluster-%s.weka.io".formatted(deployed.namespace());
        deployed.awaitDeployed();
        assertThat(PLANE.get().csi(name).storageClass().get().getParameters())
                .containsEntry("csi.storage.k8s.io/provisioner-secret-name", "weka-csi-cluster")
                .containsEntry("csi.storage.k8s.io/provisioner-secret-namespace", ClientsPlane.CSI_NAMESPACE)
                .containsEntry("csi.storage.k8s.io/node-publish-secret-name", "weka-csi-cluster");

        assertThatItIsCalled(name, deployed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"absent", "empty"})
    void aTargetClusterWithoutANameIsNone(String name) {
        assertThatItIsCalled("csi.%s-target.weka.io".formatted(name), apply(spec -> {
            spec.put("targetCluster", name.equals("empty") ? Map.of("name", "", "namespace", "") : Map.of());
            spec.put("csiGroup", name + "Target");
        }));
    }

    @Test
    void aTargetClusterMayHaveAGroup() {
        assertThatItIsCalled("csi.of-the-cluster.weka.io", targeting(Map.of("csiGroup", "ofTheCluster"), spec -> {}));
    }

    @Test
    void aTargetClusterMayHaveAWholeName() {
        assertThatItIsCalled(
                "whole.example.com",
                targeting(Map.of("csiDriverName", "whole.example.com", "csiGroup", "notUsed"), spec -> {}));
    }

    @Test
    void theWholeNameOfAClientCountsMost() {
        assertThatItIsCalled(
                "csi.weka.io",
                targeting(
                        Map.of("csiDriverName", "whole.example.com"),
                        spec -> spec.put("csiConfig", Map.of("csiDriverName", "csi.weka.io"))));
    }

    @Test
    void namesThatAreTooLongAreCutAndStayDifferent() {
        String group = "g".repeat(80);
        var one = apply(spec -> spec.put("csiGroup", group + "-one")).awaitDeployed();
        var two = apply(spec -> spec.put("csiGroup", group + "-two")).awaitDeployed();

        String first = Objects.requireNonNull(one.status().csiDriverName());
        String second = Objects.requireNonNull(two.status().csiDriverName());
        assertThat(List.of(first, second))
                .doesNotHaveDuplicates()
                .allSatisfy(name -> assertThat(name)
                        .hasSizeLessThanOrEqualTo(63)
                        .startsWith("csi.ggg")
                        .endsWith(".weka.io"));
        assertThatItIsCalled(first, one);
        assertThatItIsCalled(second, two);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Not a name", "-begins.with.a.dash", "a..b", "under_score"})
    void aWholeNameThatIsNoneIsToldAndNothingIsMade(String name) {
        var deployed = apply(spec -> spec.put("csiConfig", Map.of("csiDriverName", name)));

        deployed.awaitRefusal("Invalid");

        assertThat(deployed.message("CsiDeployed")).contains(name);
        assertThat(PLANE.get().csi(name).objects()).isEmpty();
    }

    @Test
    void aGroupOfWhichNothingIsLeftIsTold() {
        var deployed = apply(spec -> spec.put("csiGroup", "_!_"));

        deployed.awaitRefusal("Invalid");

        assertThat(deployed.message("CsiDeployed")).contains("_!_");
    }

    @Test
    void whatIsDeployedStaysWhileItsNewNameIsNone() {
        var deployed = DeployedClient.whole(PLANE.get(), 1);
        var before = CsiObjects.versions(deployed.csi().objects());
        String server =
                deployed.nodeServer(deployed.node(1)).get().getMetadata().getUid();

        deployed.edit(spec -> spec.put("csiConfig", Map.of("csiDriverName", "Not a name")));
        Eventually.assertThat(() -> assertThat(deployed.reason("CsiDeployed")).isEqualTo("Invalid"));

        assertThat(CsiObjects.versions(deployed.csi().objects())).isEqualTo(before);
        assertThat(deployed.nodeServer(deployed.node(1)).get().getMetadata().getUid())
                .isEqualTo(server);
        deployed.edit(spec -> spec.remove("csiConfig")).awaitWhole();
        assertThat(CsiObjects.versions(deployed.csi().objects())).isEqualTo(before);
    }

    @Test
    void aTargetClusterThatIsMissingIsToldUntilItIsThere() {
        var deployed = DeployedClient.nothing(PLANE.get(), 1);
        deployed.apply(spec -> target(spec, deployed.namespace()));
        deployed.awaitRefusal("TargetClusterMissing");
        assertThat(deployed.message("CsiDeployed"))
                .contains(deployed.namespace())
                .contains(CLUSTER);

        PLANE.get().makeCluster(deployed.namespace(), CLUSTER, Map.of());

        assertThatItIsCalled("csi.cluster-%s.weka.io".formatted(deployed.namespace()), deployed);
    }
}
