package dev.stowage.clustertests.claim;

import dev.stowage.clustertests.image.ImageUnderTest;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.install.Installation;
import dev.stowage.workbench.process.Waiting;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The driver for arrays in the cluster of this run, with an array beside it, for the first test that asks. */
final class InstalledArrays {

    static final String RELEASE = "arrays";
    static final String CLASS = "arrays";

    private static final String VALUES = """
            backend: vsc
            vsc:
              vpsa: {useTLS: false, monitorInterval: 5s, requestTimeout: 20s}
              stonith: {setTaint: true}
              # Whoever waits for an array that has shut him out is told after this time.
              initiator: {arguments: [initiator, "--directory=$(INITIATOR_DIRECTORY)", "--patience=20"]}
            controller: {replicas: 1}
            metrics: {port: 9818}
            storageClasses:
              - {name: arrays, volumeBindingMode: Immediate, allowVolumeExpansion: true, parameters: {volumeType: Block, csi.storage.k8s.io/fstype: xfs}}
            volumeSnapshotClasses:
              - {name: arrays}
            """;

    private static final Map<String, InstalledArrays> PRESENT = new HashMap<>();

    private final Cluster cluster;
    private final Installation installation;
    private final ArrayOnHost array;

    private InstalledArrays(Cluster cluster) {
        this.cluster = cluster;
        // Its images are those of the other release, which every cluster of these tests has.
        Installed.in(cluster);
        installation = new Installation(cluster, ImageUnderTest.home().resolve("charts/stowage"), RELEASE);
        install();
        array = new ArrayOnHost(cluster, "array-1");
        Runtime.getRuntime().addShutdownHook(new Thread(array::close));
        join();
    }

    static synchronized InstalledArrays in(Cluster cluster) {
        return PRESENT.computeIfAbsent(cluster.name(), name -> new InstalledArrays(cluster));
    }

    void install() {
        installation.install(ImageUnderTest.NAME, VALUES);
    }

    void uninstall() {
        installation.uninstall();
    }

    private void join() {
        // The driver owns the token once it has encrypted it; whoever writes a new one has to take it back.
        cluster.kubectl()
                .tryTo(List.of("apply", "--server-side", "--force-conflicts", "--filename=-"), """
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
                  hostname: %s
                  token: %s
                """.formatted(
                                array.address(), ArrayOnHost.TOKEN))
                .orThrow();
        awaitField("vpsa/array-1", "{.status.state}", "Ready");
    }

    /** Waits until a field of an object without a namespace is what is expected. */
    void awaitField(String object, String path, String expected) {
        if (!Waiting.until(Workload.PATIENCE, () -> field(object, path).equals(expected))) {
            throw new AssertionError("%s %s is not %s: %s"
                    .formatted(object, path, expected, cluster.kubectl().run("get", object, "--output=yaml")));
        }
    }

    ArrayOnHost array() {
        return array;
    }

    String field(String object, String path) {
        return cluster.kubectl().run("get", object, "--output=jsonpath=" + path);
    }
}
