package dev.stowage.clustertests.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.TestNamespace;
import dev.stowage.workbench.cluster.Images;
import dev.stowage.workbench.process.Waiting;
import java.time.Duration;

/** Claims and pods of one namespace, as a user writes them. */
record Workload(TestNamespace namespace) {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

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
        pod(name, claim, "volumeMounts: [{name: data, mountPath: /data}]");
    }

    /** A pod with the claim's device at /dev/data. */
    void podWithDevice(String name, String claim) {
        pod(name, claim, "volumeDevices: [{name: data, devicePath: /dev/data}]");
    }

    private void pod(String name, String claim, String use) {
        namespace.apply("""
                apiVersion: v1
                kind: Pod
                metadata: {name: %s}
                spec:
                  terminationGracePeriodSeconds: 0
                  containers:
                  - name: main
                    image: %s
                    command: [sh, -c, "sleep 3600"]
                    %s
                  volumes:
                  - {name: data, persistentVolumeClaim: {claimName: %s}}
                """.formatted(name, Images.BUSYBOX, use, claim));
        namespace.kubectl("wait", "--for=condition=Ready", "--timeout=180s", "pod/" + name);
    }

    String shell(String pod, String script) {
        return namespace.kubectl("exec", pod, "--", "sh", "-c", script);
    }

    void deletePod(String name) {
        namespace.kubectl("delete", "pod", name, "--timeout=180s");
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
}
