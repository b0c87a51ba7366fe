package dev.stowage.clustertests.claim;

import dev.stowage.workbench.cluster.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** What a test needs that is in no namespace, such as a class, gone at the end. Names differ from test to test. */
final class ClusterObjects implements AutoCloseable {
    private final Cluster cluster;
    private final String suffix = "-" + UUID.randomUUID().toString().substring(0, 8);
    private final List<String> present = new ArrayList<>();

    ClusterObjects(Cluster cluster) {
        this.cluster = cluster;
    }

    /**
     * @param more further lines of the class
     * @return its name
     */
    String storageClass(String name, String more) {
        return apply("storageclass", name + suffix, """
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: %s}
                provisioner: local.stowage.dev
                volumeBindingMode: WaitForFirstConsumer
                allowVolumeExpansion: true
                %s
                """.formatted(name + suffix, more));
    }

    /**
     * @param parameters such as <code>readAheadKiB: "64"</code>
     * @return its name
     */
    String attributesClass(String name, String parameters) {
        return apply("volumeattributesclass", name + suffix, """
                apiVersion: storage.k8s.io/v1
                kind: VolumeAttributesClass
                metadata: {name: %s}
                driverName: local.stowage.dev
                parameters: {%s}
                """.formatted(name + suffix, parameters));
    }

    private String apply(String kind, String name, String manifest) {
        cluster.kubectl().apply(manifest);
        present.add(kind + "/" + name);
        return name;
    }

    /** Without waiting: a class that is in use is kept by Kubernetes until its last volume is gone. */
    @Override
    public void close() {
        present.forEach(object -> cluster.kubectl().run("delete", object, "--wait=false"));
    }
}
