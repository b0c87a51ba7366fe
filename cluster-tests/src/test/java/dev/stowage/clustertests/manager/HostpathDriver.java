package dev.stowage.clustertests.manager;

import dev.stowage.clustertests.image.ImageUnderTest;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.cluster.Images;
import dev.stowage.workbench.image.ImageArchive;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/** The Kubernetes project's reference driver, and the manifest that a user of it would write. */
final class HostpathDriver {

    static final String NAME = "csi-hostpath";
    static final String IMAGE = "localhost/hostpathplugin:1";
    /** The same under another name, as the next version would be. */
    static final String NEXT_IMAGE = "localhost/hostpathplugin:2";

    private HostpathDriver() {}

    static void loadImage(Cluster cluster) {
        String program = System.getenv("STOWAGE_HOSTPATH");
        if (program == null) {
            throw new IllegalStateException("STOWAGE_HOSTPATH is not set; run the tests with ./stowage test");
        }
        try {
            var archive = cluster.layout().state().resolve("hostpath.tar");
            ImageArchive.write(
                    archive,
                    Images.shell().starting("hostpathplugin", Path.of(program).toRealPath(), List.of()),
                    List.of(IMAGE, NEXT_IMAGE));
            cluster.load(archive);
        } catch (IOException failed) {
            throw new UncheckedIOException("the image of the reference driver cannot be made", failed);
        }
    }

    /** Without what only makes volumes, so that many find room on a node. */
    static String small(String name, String node, String driver) {
        return manifest(name, node, driver, IMAGE, "")
                .replaceAll("(?ms)^ +- name: provisioner\n.*?^(?= +volumes:\n)", "")
                .replaceAll("(?m)^ +probePeriodSeconds: .*\n", "");
    }

    /** On all nodes, which is fine as long as nobody wants a volume. */
    static String everywhere(String name, String driver, String image, String more) {
        return manifest(name, "", driver, image, more).replaceAll("(?m)^ +nodeSelector: .*\n", "");
    }

    /** With an attacher, and with a driver that wants its volumes attached. */
    static String attaching(String manifest) {
        return manifest.replace("\"--statedir=/state\"", "\"--statedir=/state\", \"--enable-attach\"")
                .replaceFirst("(?m)^(?= +volumes:\n)", """
                              - name: external-attacher
                                image: %s
                                args: [sidecar, attacher, "--csi-address=/run/csi/csi.sock"]
                                securityContext: {privileged: true}
                                volumeMounts: [{name: csi-driver, mountPath: /run/csi}]
                        """.formatted(ImageUnderTest.NAME));
    }

    /**
     * Its state is in one process, so its provisioner is beside it on the one node.
     *
     * @param more lines of the spec
     */
    static String manifest(String name, String node, String driver, String image, String more) {
        return """
                apiVersion: csidriver.storage.openshift.io/v1alpha1
                kind: CSIDriverDeployment
                metadata: {name: %5$s}
                spec:
                  driverName: %2$s
                  driverSocket: /run/csi/csi.sock
                  nodeSelector: {kubernetes.io/hostname: %1$s}
                  probePeriodSeconds: 10
                  driverPerNodeTemplate:
                    spec:
                      terminationGracePeriodSeconds: 1
                      containers:
                      - name: csi-driver
                        image: %3$s
                        args: ["--v=3", "--endpoint=unix:///run/csi/csi.sock", "--nodeid=$(KUBE_NODE_NAME)", "--drivername=%2$s", "--statedir=/state"]
                        env:
                        - {name: KUBE_NODE_NAME, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}
                        securityContext: {privileged: true}
                        volumeMounts: [{name: state, mountPath: /state, mountPropagation: Bidirectional}]
                      - name: provisioner
                        image: localhost/csi-provisioner:1
                        args: ["--csi-address=/run/csi/csi.sock", "--feature-gates=Topology=true"]
                        securityContext: {privileged: true}
                        volumeMounts: [{name: csi-driver, mountPath: /run/csi}]
                      volumes:
                      - {name: state, hostPath: {path: "/var/lib/%2$s", type: DirectoryOrCreate}}
                  storageClassTemplates:
                  - metadata: {name: "%2$s"}
                %4$s
                """.formatted(node, driver, image, more.indent(2), name);
    }
}
