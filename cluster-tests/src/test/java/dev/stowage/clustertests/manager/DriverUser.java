package dev.stowage.clustertests.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.TestNamespace;
import dev.stowage.workbench.cluster.Images;
import dev.stowage.workbench.process.Waiting;
import java.util.stream.IntStream;

/** A claim of a class, and a pod that has it at /data and counts into a file there until it meets an error. */
record DriverUser(TestNamespace namespace, String name, String storageClass) {

    /** Finds the pods of all users. */
    static final String ALL = "--selector=uses-a-driver";

    private static final String SCRIPT =
            "n=$(wc -l < /data/count || echo 0); while n=$((n + 1)); do echo $n >> /data/count && sync /data/count || exit 1; sleep 0.2; done";

    void claim(String size) {
        namespace.apply("""
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: %s}
                spec:
                  storageClassName: %s
                  accessModes: [ReadWriteOnce]
                  resources: {requests: {storage: %s}}
                """.formatted(name, storageClass, size));
    }

    void start() {
        start("");
    }

    /**
     * Runs it. Without any time to end, a pod is gone for Kubernetes before its process is, and the next one would count beside it.
     *
     * @param node where it has to run; empty for anywhere
     */
    void start(String node) {
        namespace.apply(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: %1$s, labels: {uses-a-driver: ""}}
                spec:
                  terminationGracePeriodSeconds: 1
                  restartPolicy: Never
                  nodeSelector: {%4$s}
                  containers:
                  - name: main
                    image: %2$s
                    command: [sh, -c, "%3$s"]
                    volumeMounts: [{name: data, mountPath: /data}]
                  volumes:
                  - {name: data, persistentVolumeClaim: {claimName: %1$s}}
                """.formatted(name, Images.BUSYBOX, SCRIPT, node.isEmpty() ? "" : "kubernetes.io/hostname: " + node));
        namespace.kubectl("wait", "--for=condition=Ready", "--timeout=240s", "pod/" + name);
    }

    void stop() {
        namespace.kubectl("delete", "pod", name, "--timeout=180s");
    }

    /** The name of its volume, as soon as there is one. */
    String volume() {
        namespace.kubectl(
                "wait", "--for=jsonpath={.status.phase}=Bound", "--timeout=120s", "persistentvolumeclaim/" + name);
        return namespace.kubectl("get", "persistentvolumeclaim/" + name, "--output=jsonpath={.spec.volumeName}");
    }

    /** Gives the volume back while the driver is there, which has to delete it. */
    void release() {
        String volume = volume();
        namespace.kubectl("delete", "persistentvolumeclaim/" + name, "--timeout=120s");
        namespace.kubectl("wait", "--for=delete", "--timeout=120s", "persistentvolume/" + volume);
    }

    String shell(String script) {
        return namespace.kubectl("exec", name, "--", "sh", "-c", script);
    }

    /** How much it has written. */
    long count() {
        return shell("wc -l < /data/count").strip().transform(Long::parseLong);
    }

    /** It never met an error, nothing that it wrote is missing, and it still writes. */
    void assertUninterrupted() {
        namespace.awaitExec(name, "true");
        long before = count();
        assertThat(Waiting.until(Managed.PATIENCE, () -> count() > before + 3))
                .as("%s goes on after %d", name, before)
                .isTrue();
        var written = shell("cat /data/count").lines().toList();
        assertThat(written)
                .isEqualTo(IntStream.rangeClosed(1, written.size())
                        .mapToObj(Integer::toString)
                        .toList());
    }
}
