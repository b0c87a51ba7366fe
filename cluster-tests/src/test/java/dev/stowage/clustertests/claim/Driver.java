package dev.stowage.clustertests.claim;

import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.cluster.ClusterNode;
import dev.stowage.workbench.install.Installation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The processes of Stowage in a cluster, and what can befall them. */
final class Driver {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Cluster cluster;
    private final String release;

    Driver(Cluster cluster) {
        this(cluster, Installation.RELEASE);
    }

    Driver(Cluster cluster, String release) {
        this.cluster = cluster;
        this.release = release;
    }

    /** Kills the driver of a node without warning, as the kernel does when memory is short. The kubelet starts it again. */
    void kill(ClusterNode node) {
        var container = kubectl(
                "get",
                "pods",
                "--selector=app.kubernetes.io/component=node",
                "--field-selector=spec.nodeName=" + node.name(),
                "--output=jsonpath={.items[0].status.containerStatuses[?(@.name==\"driver\")].containerID}");
        node.run(
                        LIMIT,
                        List.of(
                                cluster.tools().program("ctr"),
                                "--namespace=k8s.io",
                                "tasks",
                                "kill",
                                "--signal=SIGKILL",
                                container.substring("containerd://".length())))
                .orThrow();
    }

    /** Takes the driver's pod away from a node, without a warning. The DaemonSet makes a new one, which starts at once. */
    void deletePod(ClusterNode node) {
        kubectl(
                "delete",
                "pods",
                "--selector=app.kubernetes.io/component=node",
                "--field-selector=spec.nodeName=" + node.name(),
                "--grace-period=0",
                "--force",
                "--timeout=120s");
    }

    void awaitNodes() {
        kubectl("rollout", "status", "daemonset/" + release + "-node", "--timeout=240s");
    }

    void awaitController() {
        kubectl("rollout", "status", "deployment/" + release + "-controller", "--timeout=240s");
    }

    ClusterNode nodeOfController() {
        return node(kubectl(
                "get",
                "pods",
                "--selector=app.kubernetes.io/component=controller",
                "--output=jsonpath={.items[0].spec.nodeName}"));
    }

    ClusterNode node(String name) {
        return cluster.nodes().stream()
                .filter(node -> node.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    String kubectl(String... arguments) {
        var all = new ArrayList<>(List.of("--namespace=" + release));
        all.addAll(List.of(arguments));
        return cluster.kubectl().tryTo(all, "").orThrow();
    }
}
