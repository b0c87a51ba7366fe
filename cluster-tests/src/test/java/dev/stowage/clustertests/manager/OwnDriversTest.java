package dev.stowage.clustertests.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.clustertests.TestNamespace;
import dev.stowage.clustertests.claim.ArrayOnHost;
import dev.stowage.clustertests.image.ImageUnderTest;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.cluster.ClusterNode;
import dev.stowage.workbench.install.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Our own driver, with both backends at once, from the examples, deployed by managers that the chart installed. */
@NeedsCluster(nodes = 2, alone = true)
class OwnDriversTest {

    private static final String VALUES = """
            backend: none
            manager: {enabled: true}
            """;

    /** The label of nodes that have an initiator. */
    private static final String INITIATOR = "initiator.stowage.dev/here";

    private static @Nullable ArrayOnHost array;

    private final TestNamespace namespace;
    private final List<String> nodes;
    private final Managed local;
    private final Managed arrays;
    private final DriverUser onNode;
    private final DriverUser onArray;

    OwnDriversTest(Cluster cluster) {
        namespace = new TestNamespace(cluster);
        nodes = cluster.nodes().stream().map(ClusterNode::name).sorted().toList();
        local = new Managed(cluster, Installation.NAMESPACE, "local");
        arrays = new Managed(cluster, Installation.NAMESPACE, "arrays");
        onNode = new DriverUser(namespace, "on-node", "local");
        onArray = new DriverUser(namespace, "on-array", "arrays");
    }

    @BeforeAll
    static void deploy(Cluster cluster) throws IOException {
        var home = ImageUnderTest.home();
        var installation = new Installation(cluster, home.resolve("charts/stowage"));
        installation.loadImages(ImageUnderTest.get().built().file());
        installation.install(ImageUnderTest.NAME, VALUES);
        for (String folder : new String[] {"local", "vsc"}) {
            cluster.kubectl()
                    .run("apply", "--server-side", "--filename=" + home.resolve("charts/stowage/files/crds/" + folder));
        }
        cluster.kubectl()
                .run(
                        "create",
                        "secret",
                        "generic",
                        "arrays-encryption",
                        "--namespace=" + Installation.NAMESPACE,
                        "--from-literal=GLOBAL_ENCRYPTION_KEY=" + "k".repeat(32));
        apply(cluster, home.resolve("docs/examples/local-driver.yaml"));
        apply(cluster, home.resolve("docs/examples/arrays-driver.yaml"));
        array = new ArrayOnHost(cluster, "array-1");
        cluster.kubectl().apply("""
                apiVersion: storage.zadara.com/v1
                kind: VSCStorageClass
                metadata: {name: all}
                spec: {displayName: All arrays, isDefault: true}
                ---
                apiVersion: storage.zadara.com/v1
                kind: VPSA
                metadata: {name: array-1}
                spec:
                  VSCStorageClassName: all
                  displayName: The array beside the cluster
                  hostname: http://%s
                  token: %s
                """.formatted(array.address(), ArrayOnHost.TOKEN));
        new Managed(cluster, Installation.NAMESPACE, "local").awaitAvailable();
        new Managed(cluster, Installation.NAMESPACE, "arrays").awaitAvailable();
    }

    private static void apply(Cluster cluster, Path example) throws IOException {
        cluster.kubectl().apply(Files.readString(example).replace("stowage.dev/stowage:0.1.0", ImageUnderTest.NAME));
    }

    @AfterEach
    void leaveNothing() {
        namespace.kubectl("delete", "pods,volumesnapshots,persistentvolumeclaims", "--all", "--timeout=180s");
        namespace.close();
    }

    @AfterAll
    static void stopTheArray() {
        if (array != null) {
            array.close();
        }
    }

    @Test
    void eachHasTheSidecarsOfWhatItCanDo() {
        assertThat(local.sidecars())
                .containsExactlyInAnyOrder(
                        "csi-provisioner", "csi-attacher", "csi-resizer", "csi-snapshotter", "csi-probe");
        assertThat(arrays.sidecars())
                .containsExactlyInAnyOrder(
                        "csi-provisioner", "csi-attacher", "csi-resizer", "csi-snapshotter", "csi-probe");
        assertThat(local.field(".status.driver.capabilities")).contains("CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT");
        assertThat(arrays.field(".status.driver.capabilities"))
                .contains("EXPAND_VOLUME")
                .doesNotContain("CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT");
    }

    @Test
    void bothServeAtOnceAndPodsGoOnWhileEveryPartIsRestarted() {
        onNode.claim("64Mi");
        onArray.claim("1Gi");
        onNode.start();
        onArray.start();

        local.kubectl("delete", "pods", "--selector=app.kubernetes.io/component=manager", "--timeout=120s");
        local.deletePods();
        arrays.deletePods();
        local.awaitAvailable();
        arrays.awaitAvailable();
        onNode.assertUninterrupted();
        onArray.assertUninterrupted();
        String onNodeBefore = onNode.shell("cat /data/count");
        String onArrayBefore = onArray.shell("cat /data/count");
        onNode.stop();
        onArray.stop();
        onNode.start();
        onArray.start();

        assertThat(onNode.shell("cat /data/count")).startsWith(onNodeBefore);
        assertThat(onArray.shell("cat /data/count")).startsWith(onArrayBefore);
    }

    @Test
    @Tag("long")
    void volumesOfBothGrowInUse() {
        for (var user : new DriverUser[] {onNode, onArray}) {
            user.claim("1Gi");
            user.start();
            namespace.kubectl(
                    "patch",
                    "persistentvolumeclaim/" + user.name(),
                    "--type=merge",
                    "--patch={\"spec\": {\"resources\": {\"requests\": {\"storage\": \"2Gi\"}}}}");
            local.await(
                    user.name() + " has grown",
                    () -> namespace
                            .kubectl(
                                    "get",
                                    "persistentvolumeclaim/" + user.name(),
                                    "--output=jsonpath={.status.capacity.storage}")
                            .equals("2Gi"));
            user.assertUninterrupted();
        }
    }

    @Test
    void aDriverCanFollowTheInitiatorsOnTheirNodes() {
        String first = nodes.getFirst();
        String second = nodes.get(1);
        arrays.kubectl("label", "node", first, INITIATOR + "=yes");
        arrays.kubectl(
                "patch",
                "daemonset/arrays-initiator",
                "--patch={\"spec\": {\"template\": {\"spec\": {\"nodeSelector\": {\"%s\": \"yes\"}}}}}"
                        .formatted(INITIATOR));
        arrays.kubectl(
                "patch",
                arrays.object(),
                "--type=merge",
                "--patch={\"spec\": {\"besidePods\": {\"selector\": {\"matchLabels\": {\"app\": \"arrays-initiator\"}}}}}");
        awaitArraysOn(first);
        onArray.claim("1Gi");
        onArray.start(first);

        arrays.kubectl("label", "node", second, INITIATOR + "=yes");
        awaitArraysOn(first + " " + second);
        arrays.kubectl("label", "node", second, INITIATOR + "-");
        awaitArraysOn(first);
        onArray.assertUninterrupted();

        arrays.kubectl("patch", arrays.object(), "--type=merge", "--patch={\"spec\": {\"besidePods\": null}}");
        arrays.kubectl(
                "patch",
                "daemonset/arrays-initiator",
                "--patch={\"spec\": {\"template\": {\"spec\": {\"nodeSelector\": null}}}}");
        arrays.kubectl("label", "node", first, INITIATOR + "-");
        awaitArraysOn(first + " " + second);
        arrays.awaitAvailable();
        onArray.assertUninterrupted();
    }

    /** @param where the names of the nodes, with spaces between them */
    private void awaitArraysOn(String where) {
        arrays.await(
                "the driver is registered on " + where,
                () -> arrays.field(".status.nodes[?(@.registered==true)].name").equals(where));
    }
}
