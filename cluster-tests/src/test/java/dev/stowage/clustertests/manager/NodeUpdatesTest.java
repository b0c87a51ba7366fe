package dev.stowage.clustertests.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.cluster.ClusterNode;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** New templates for a driver that runs on all nodes, two or more. */
@NeedsCluster(nodes = 2)
class NodeUpdatesTest {

    private static final String DRIVER_PODS = "--selector=csidriver.storage.openshift.io/daemonset";

    private final List<String> nodes;
    private final HostpathDeployment deployment;
    private final Managed managed;

    NodeUpdatesTest(Cluster cluster) {
        nodes = cluster.nodes().stream().map(ClusterNode::name).toList();
        deployment = HostpathDeployment.prepare(cluster, "--rollout-deadline=60");
        managed = deployment.managed();
    }

    @AfterEach
    void leaveNothing() {
        deployment.close();
    }

    private String manifest(String image, String more) {
        return HostpathDriver.everywhere(HostpathDriver.NAME, deployment.driver(), image, more);
    }

    private void apply(String image, String more) {
        deployment.namespace().apply(manifest(image, more));
    }

    private void deploy(String more) {
        apply(HostpathDriver.IMAGE, more);
        managed.awaitAvailable();
        deployment.awaitKnownToBeGood();
    }

    /** A field of the status of each node. */
    private List<String> ofNodes(String field) {
        return Stream.of(managed.field(".status.nodes[*]." + field).split(" ")).toList();
    }

    private List<String> everywhere(String value) {
        return Collections.nCopies(nodes.size(), value);
    }

    private List<String> driverPods(String path) {
        return Stream.of(managed.kubectl("get", "pods", DRIVER_PODS, "--output=jsonpath={.items[*]" + path + "}")
                        .split(" "))
                .toList();
    }

    @Test
    void rollingGoesFromNodeToNodeAndOneIsAlwaysThere() {
        deploy("");
        apply(HostpathDriver.NEXT_IMAGE, "");
        managed.await("all nodes have the new one", () -> {
            long ready = Stream.of(managed.kubectl(
                                    "get",
                                    "pods",
                                    DRIVER_PODS,
                                    "--output=jsonpath={.items[*].status.conditions[?(@.type==\"Ready\")].status}")
                            .split(" "))
                    .filter("True"::equals)
                    .count();
            assertThat(ready).as("nodes with a driver that is ready").isPositive();
            return ofNodes("version").equals(everywhere(HostpathDriver.NEXT_IMAGE))
                    && managed.condition("Progressing", "status").equals("False");
        });
        managed.await("all are registered", () -> ofNodes("registered").equals(everywhere("true")));
    }

    @Test
    @Tag("long")
    void onDeleteWaitsAndShowsWhichNodesRunTheFormerOne() {
        deploy("nodeUpdateStrategy: OnDelete");
        var before = driverPods(".metadata.uid");
        apply(HostpathDriver.NEXT_IMAGE, "nodeUpdateStrategy: OnDelete");
        managed.await(
                "all nodes are shown",
                () -> managed.condition("Progressing", "message").contains(String.join(", ", nodes)));
        assertThat(driverPods(".metadata.uid")).isEqualTo(before);

        var others = nodes.subList(1, nodes.size());
        managed.kubectl(
                "delete", "pods", DRIVER_PODS, "--field-selector=spec.nodeName=" + nodes.getFirst(), "--timeout=120s");
        managed.await(
                "one node has the new one",
                () -> managed.condition("Progressing", "message")
                        .endsWith("former template: " + String.join(", ", others)));
        assertThat(ofNodes("current"))
                .startsWith("true")
                .endsWith(Collections.nCopies(others.size(), "false").toArray(String[]::new));
    }

    @Test
    @Tag("long")
    void aDriverThatRunsAndNeverRegistersIsTakenBackFromTheFirstNode() {
        deploy("");
        var before = driverPods(".metadata.uid");

        deployment
                .namespace()
                .apply(manifest(HostpathDriver.NEXT_IMAGE, "")
                        .replace("--endpoint=unix:///run/csi/csi.sock", "--endpoint=unix:///run/csi/elsewhere.sock"));

        managed.await(
                "it is taken back",
                () -> managed.condition("Progressing", "reason").equals("RolledBack"));
        managed.await(
                "all nodes run the last good one",
                () -> driverPods(".spec.containers[0].image").equals(everywhere(HostpathDriver.IMAGE))
                        && ofNodes("registered").equals(everywhere("true"))
                        && managed.condition("Available", "status").equals("True"));
        assertThat(driverPods(".metadata.uid"))
                .filteredOn(before::contains)
                .as("drivers that were never disturbed")
                .hasSize(nodes.size() - 1);
    }

    @Test
    @Tag("long")
    void aRefusedTemplateIsNotTriedAgainByTheNextManagers() {
        deploy("");
        apply("localhost/nowhere:1", "");
        managed.await(
                "it is taken back",
                () -> managed.condition("Progressing", "reason").equals("RolledBack"));
        for (int next = 0; next < 3; next++) {
            deployment.manager().kill();
            deployment.manager().start();
            managed.await(
                    "all nodes run the last good one",
                    () -> driverPods(".spec.containers[0].image").equals(everywhere(HostpathDriver.IMAGE))
                            && managed.condition("Available", "status").equals("True"));
            String generation = managed.kubectl(
                    "get", "daemonset/" + HostpathDriver.NAME + "-node", "--output=jsonpath={.metadata.generation}");
            // The next manager restores something, so it has looked.
            managed.kubectl("delete", "storageclass/" + deployment.driver());
            managed.await(
                    "the class is there again",
                    () -> !managed.kubectl(
                                    "get", "storageclass/" + deployment.driver(), "--ignore-not-found", "--output=name")
                            .isBlank());
            assertThat(managed.kubectl(
                            "get",
                            "daemonset/" + HostpathDriver.NAME + "-node",
                            "--output=jsonpath={.metadata.generation}"))
                    .isEqualTo(generation);
        }
        assertThat(managed.condition("Progressing", "reason")).isEqualTo("RolledBack");
    }
}
