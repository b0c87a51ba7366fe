package dev.stowage.clustertests.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.cluster.Images;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Pods with a name of their own, and a volume of their own that waits for them. */
@NeedsCluster(nodes = 2)
class StatefulSetTest {
    private static final List<String> PODS = List.of("set-0", "set-1");

    @AutoClose
    private final Workload workload;

    StatefulSetTest(Cluster cluster) {
        workload = Workload.in(cluster);
    }

    @Test
    void everyPodOfASetGetsItsOwnDataBackOnItsNode() {
        create();
        awaitPods(2);
        PODS.forEach(pod -> workload.shell(pod, "hostname > /data/owner && sync"));
        var nodes = PODS.stream().map(workload::nodeOf).toList();
        assertThat(nodes).doesNotHaveDuplicates();

        workload.namespace().kubectl("delete", "pods", "--selector=app=set", "--timeout=180s");
        awaitPods(2);
        PODS.forEach(this::assertOwnData);

        scale(1);
        workload.namespace().kubectl("wait", "--for=delete", "--timeout=180s", "pod/set-1");
        scale(2);
        awaitPods(2);
        PODS.forEach(this::assertOwnData);
        assertThat(PODS.stream().map(workload::nodeOf)).isEqualTo(nodes);
    }

    private void assertOwnData(String pod) {
        assertThat(workload.shell(pod, "cat /data/owner")).isEqualTo(pod + "\n");
    }

    private void create() {
        workload.namespace().apply("""
                apiVersion: apps/v1
                kind: StatefulSet
                metadata: {name: set}
                spec:
                  replicas: 2
                  podManagementPolicy: Parallel
                  selector: {matchLabels: {app: set}}
                  template:
                    metadata: {labels: {app: set}}
                    spec:
                      terminationGracePeriodSeconds: 1
                      topologySpreadConstraints:
                      - maxSkew: 1
                        topologyKey: kubernetes.io/hostname
                        whenUnsatisfiable: DoNotSchedule
                        labelSelector: {matchLabels: {app: set}}
                      containers:
                      - name: main
                        image: %s
                        command: [sh, -c, "sleep 3600"]
                        volumeMounts: [{name: data, mountPath: /data}]
                  volumeClaimTemplates:
                  - metadata: {name: data}
                    spec:
                      storageClassName: stowage
                      accessModes: [ReadWriteOnce]
                      resources: {requests: {storage: 400Mi}}
                """.formatted(Images.BUSYBOX));
    }

    private void scale(int replicas) {
        workload.namespace().kubectl("scale", "statefulset/set", "--replicas=" + replicas);
    }

    private void awaitPods(int ready) {
        workload.namespace()
                .kubectl(
                        "wait", "--for=jsonpath={.status.readyReplicas}=" + ready, "--timeout=300s", "statefulset/set");
    }
}
