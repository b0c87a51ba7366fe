package dev.stowage.clustertests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.cluster.ClusterNode;
import dev.stowage.workbench.cluster.Images;
import dev.stowage.workbench.cluster.PartStatus;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What other tests rely on: a Kubernetes whose nodes run pods, and can be broken and mended. */
@NeedsCluster(nodes = 2)
class ClusterTest {
    private final Cluster cluster;
    private final TestNamespace namespace;

    ClusterTest(Cluster cluster) {
        this.cluster = cluster;
        namespace = new TestNamespace(cluster);
    }

    @BeforeEach
    void aPodOnEveryNode() {
        cluster.nodes().forEach(node -> namespace.apply("""
                apiVersion: v1
                kind: Pod
                metadata: {name: on-%1$s}
                spec:
                  nodeName: %1$s
                  restartPolicy: Always
                  terminationGracePeriodSeconds: 0
                  containers:
                  - name: main
                    image: %2$s
                    command: [sh, -c, "echo I run on %1$s; sleep 3600"]
                """.formatted(node.name(), Images.BUSYBOX)));
        cluster.nodes().forEach(this::awaitPod);
    }

    @AfterEach
    void removeThem() {
        namespace.close();
    }

    @Test
    void everyPartIsWellAndEveryNodeIsReady() {
        assertThat(cluster.status()).allMatch(PartStatus::healthy);
        assertThat(cluster.kubectl().run("get", "nodes", "--no-headers").lines())
                .hasSize(cluster.nodes().size())
                .allMatch(line -> line.contains(" Ready "));
    }

    @Test
    void everyNodeRunsAPodWhoseLogsAndShellAreReachable() {
        for (var node : cluster.nodes()) {
            assertThat(namespace.kubectl("logs", pod(node))).isEqualTo("I run on " + node.name() + "\n");
            assertThat(namespace.kubectl("exec", pod(node), "--", "hostname")).isEqualTo("on-" + node.name() + "\n");
        }
    }

    @Test
    void podsReachEachOtherAndTheApiServerFromEveryNode() {
        for (var from : cluster.nodes()) {
            for (var to : cluster.nodes()) {
                var address = namespace.kubectl("get", pod(to), "--output=jsonpath={.status.podIP}");
                assertThat(namespace.kubectl("exec", pod(from), "--", "ping", "-c", "1", "-w", "20", address))
                        .contains("1 packets received");
            }
            assertThat(namespace.kubectl(
                            "exec",
                            pod(from),
                            "--",
                            "sh",
                            "-c",
                            "nc -w 20 $KUBERNETES_SERVICE_HOST $KUBERNETES_SERVICE_PORT </dev/null && echo reached"))
                    .contains("reached");
        }
    }

    @Test
    void aNodeThatIsKilledComesBackAndRunsItsPodsAgain() {
        var node = cluster.nodes().getLast();
        node.kill();
        assertThat(node.running()).isFalse();

        node.start();

        awaitRestart(node);
        assertThat(namespace.kubectl("exec", pod(node), "--", "hostname")).isEqualTo("on-" + node.name() + "\n");
    }

    @Test
    void podsGoOnWhileTheirKubeletRestarts() {
        var node = cluster.nodes().getFirst();
        var before = containers(node);

        node.restartKubelet();
        cluster.await(node.name() + ".kubelet");

        namespace.awaitExec(pod(node), "true");
        assertThat(containers(node)).isEqualTo(before);
    }

    @Test
    void podsGoOnWhileTheApiServerIsAway() {
        var before = cluster.nodes().stream().map(this::containers).toList();

        cluster.controlPlane().stopApiServer();
        assertThat(cluster.healthy()).isFalse();
        cluster.controlPlane().startApiServer();
        cluster.await("kube-apiserver");

        cluster.nodes().forEach(this::awaitPod);
        assertThat(cluster.nodes().stream().map(this::containers).toList()).isEqualTo(before);
    }

    @Test
    void theStockSidecarsFindTheVersionsTheySpeak() {
        var resources = cluster.kubectl().run("api-resources", "--no-headers", "--output=name");
        assertThat(resources.lines())
                .contains(
                        "volumesnapshots.snapshot.storage.k8s.io",
                        "volumegroupsnapshots.groupsnapshot.storage.k8s.io",
                        "volumeattributesclasses.storage.k8s.io",
                        "csistoragecapacities.storage.k8s.io");
        assertThat(cluster.kubectl().run("api-versions").lines())
                .contains("storage.k8s.io/v1beta1", "groupsnapshot.storage.k8s.io/v1beta1");
        assertThat(cluster.kubectl().run("get", "volumegroupsnapshotcontents.v1beta1.groupsnapshot.storage.k8s.io"))
                .isEmpty();
    }

    @Test
    void groupSnapshotsAreTheSameInBothVersionsOfTheirApi() {
        var resource = "volumegroupsnapshotcontents.%s.groupsnapshot.storage.k8s.io";
        var older = resource.formatted("v1beta1");
        var newer = resource.formatted("v1beta2");
        cluster.kubectl().apply("""
                apiVersion: groupsnapshot.storage.k8s.io/v1beta1
                kind: VolumeGroupSnapshotContent
                metadata: {name: converted}
                spec:
                  deletionPolicy: Retain
                  driver: nobody.example
                  source: {volumeHandles: [volume]}
                  volumeGroupSnapshotRef: {name: nothing, namespace: default}
                """);
        try {
            cluster.kubectl()
                    .run(
                            "patch",
                            older,
                            "converted",
                            "--subresource=status",
                            "--type=merge",
                            "--patch={\"status\": {\"volumeSnapshotHandlePairList\":"
                                    + " [{\"volumeHandle\": \"volume\", \"snapshotHandle\": \"snapshot\"}]}}");
            cluster.kubectl().run("annotate", newer, "converted", "changed=yes");

            var handles = "--output=jsonpath={.status.%s[0].volumeHandle} {.status.%1$s[0].snapshotHandle}";
            assertThat(cluster.kubectl().run("get", newer, "converted", handles.formatted("volumeSnapshotInfoList")))
                    .isEqualTo("volume snapshot");
            assertThat(cluster.kubectl()
                            .run("get", older, "converted", handles.formatted("volumeSnapshotHandlePairList")))
                    .isEqualTo("volume snapshot");
        } finally {
            cluster.kubectl().run("delete", newer, "converted");
        }
    }

    private static String pod(ClusterNode node) {
        return "pod/on-" + node.name();
    }

    private void awaitPod(ClusterNode node) {
        namespace.kubectl("wait", "--for=condition=Ready", "--timeout=180s", pod(node));
    }

    private void awaitRestart(ClusterNode node) {
        namespace.kubectl(
                "wait", "--for=jsonpath={.status.containerStatuses[0].restartCount}=1", "--timeout=180s", pod(node));
        awaitPod(node);
    }

    private List<String> containers(ClusterNode node) {
        return List.of(namespace
                .kubectl("get", pod(node), "--output=jsonpath={.status.containerStatuses[*].containerID}")
                .split(" "));
    }
}
