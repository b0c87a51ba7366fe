package dev.stowage.clustertests.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.TestNamespace;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.cluster.Images;
import dev.stowage.workbench.process.Waiting;
import java.time.Duration;

/** Claims and pods of one namespace, as a user writes them, in a cluster that has Stowage. */
final class Workload implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final String GOES_FIRST =
            "statefulsets,pods,volumegroupsnapshots,volumesnapshots,persistentvolumeclaims";
    private static final String IDLE = "sleep 3600";
    private static final String FILESYSTEM = "volumeMounts: [{name: data, mountPath: /data}]";

    private final Cluster cluster;
    private final TestNamespace namespace;

    private Workload(Cluster cluster) {
        this.cluster = cluster;
        namespace = new TestNamespace(cluster);
    }

    static Workload in(Cluster cluster) {
        Installed.in(cluster);
        return new Workload(cluster);
    }

    TestNamespace namespace() {
        return namespace;
    }

    /**
     * Nothing of it is left, in the cluster or on the nodes. Kubernetes looks only every few seconds whether a namespace is empty, so
     * that what holds it up goes first.
     */
    @Override
    public void close() {
        try {
            namespace.kubectl("delete", GOES_FIRST, "--all", "--timeout=180s");
        } finally {
            namespace.close();
        }
        assertThat(Waiting.until(PATIENCE, () -> leftInTheCluster().isBlank()))
                .as(leftInTheCluster())
                .isTrue();
    }

    /** Everything that stands for a volume or a snapshot, in whichever namespace. */
    String leftInTheCluster() {
        return cluster.kubectl()
                .run(
                        "get",
                        "lvol,lsnap,lgsnap,persistentvolumes,volumeattachments",
                        "--no-headers",
                        "--ignore-not-found");
    }

    /** @param more further lines of the claim's spec, such as where its data comes from */
    void claim(String name, String size, String more) {
        namespace.apply("""
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: %s}
                spec:
                  storageClassName: stowage
                  accessModes: [ReadWriteOnce]
                  resources: {requests: {storage: %s}}
                %s
                """.formatted(name, size, more.indent(2)));
    }

    /** A pod with the claim's filesystem at /data, which runs until it is deleted. */
    void pod(String name, String claim) {
        pod(name, claim, IDLE, "{}");
    }

    /**
     * A pod with the claim's filesystem at /data.
     *
     * @param script what its shell runs, without quotes
     * @param nodeSelector where it may run, such as {@code {kubernetes.io/hostname: node-1}}
     */
    void pod(String name, String claim, String script, String nodeSelector) {
        applyPod(name, claim, script, nodeSelector, FILESYSTEM);
        awaitReady(name);
    }

    /** A pod with the claim's device at /dev/data. */
    void podWithDevice(String name, String claim) {
        applyPod(name, claim, IDLE, "{}", "volumeDevices: [{name: data, devicePath: /dev/data}]");
        awaitReady(name);
    }

    /** A pod with the claim's filesystem at /data, and nobody waits for it. */
    void startPod(String name, String claim) {
        applyPod(name, claim, IDLE, "{}", FILESYSTEM);
    }

    void awaitReady(String pod) {
        namespace.kubectl("wait", "--for=condition=Ready", "--timeout=180s", "pod/" + pod);
    }

    private void applyPod(String name, String claim, String script, String nodeSelector, String use) {
        namespace.apply("""
                apiVersion: v1
                kind: Pod
                metadata: {name: %s}
                spec:
                  terminationGracePeriodSeconds: 0
                  nodeSelector: %s
                  containers:
                  - name: main
                    image: %s
                    command: [sh, -c, "%s"]
                    %s
                  volumes:
                  - {name: data, persistentVolumeClaim: {claimName: %s}}
                """.formatted(name, nodeSelector, Images.BUSYBOX, script, use, claim));
    }

    /** The name of the node that a pod was scheduled to. */
    String nodeOf(String pod) {
        return field("pod/" + pod, "{.spec.nodeName}");
    }

    String shell(String pod, String script) {
        return namespace.kubectl("exec", pod, "--", "sh", "-c", script);
    }

    void deletePod(String name) {
        namespace.kubectl("delete", "pod", name, "--timeout=180s");
    }

    void grow(String claim, String size) {
        patchClaim(claim, "{\"resources\": {\"requests\": {\"storage\": \"%s\"}}}".formatted(size));
    }

    /** @param spec what changes in the claim's spec, as JSON */
    void patchClaim(String claim, String spec) {
        namespace.kubectl("patch", "persistentvolumeclaim", claim, "--patch={\"spec\": %s}".formatted(spec));
    }

    void snapshot(String name, String claim) {
        namespace.apply("""
                apiVersion: snapshot.storage.k8s.io/v1
                kind: VolumeSnapshot
                metadata: {name: %s}
                spec:
                  volumeSnapshotClassName: stowage
                  source: {persistentVolumeClaimName: %s}
                """.formatted(name, claim));
        namespace.kubectl(
                "wait", "--for=jsonpath={.status.readyToUse}=true", "--timeout=180s", "volumesnapshot/" + name);
    }

    /** Waits until a script in a pod prints what is expected. */
    void awaitShell(String pod, String script, String expected) {
        if (!Waiting.until(PATIENCE, () -> shell(pod, script).contains(expected))) {
            assertThat(shell(pod, script)).contains(expected);
        }
    }

    /** How large a filesystem is, as a pod sees it. */
    long megabytes(String pod, String path) {
        return Long.parseLong(shell(pod, "df -m %s | awk 'NR == 2 {print $2}'".formatted(path))
                .strip());
    }

    /** A field of an object of this namespace, such as {@code pod/reader} and {@code {.status.phase}}. */
    String field(String object, String path) {
        return namespace.kubectl("get", object, "--output=jsonpath=" + path);
    }

    /** What was told about an object of this namespace, a line each. */
    String events(String kind, String name) {
        return namespace.kubectl(
                "events",
                "--for=%s/%s".formatted(kind, name),
                "--output=jsonpath={range .items[*]}{.reason}: {.message}{\"\\n\"}{end}");
    }

    /** Waits until a field contains what is expected. */
    void awaitField(String object, String path, String expected) {
        if (!Waiting.until(PATIENCE, () -> field(object, path).contains(expected))) {
            assertThat(field(object, path)).contains(expected);
        }
    }
}
