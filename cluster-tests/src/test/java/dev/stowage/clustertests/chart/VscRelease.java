package dev.stowage.clustertests.chart;

import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.install.Helm;
import java.util.ArrayList;
import java.util.List;

/** A release of the chart for arrays whose pods run nowhere: only what it puts into the API server matters. */
final class VscRelease implements AutoCloseable {

    static final String NAME = "arrays";
    static final String NAMESPACE = "chart-test";

    private static final String VALUES = """
            backend: vsc
            driverName: chart-test.example.com
            controller: {nodeSelector: {chart-test: nowhere}}
            node: {nodeSelector: {chart-test: nowhere}}
            storageClasses: []
            volumeSnapshotClasses: []
            crds: {install: %s}
            """;

    private final Cluster cluster;
    private final Helm helm;
    private final boolean definitionsAreOurs;

    VscRelease(Cluster cluster) {
        this.cluster = cluster;
        this.helm = new Helm(cluster);
        this.definitionsAreOurs = definitions().isBlank();
    }

    private String definitions() {
        return cluster.kubectl()
                .run("get", "crds", "vscnodes.storage.zadara.com", "--ignore-not-found", "--output=name");
    }

    void install(String values) {
        helm.tryTo(
                        List.of(
                                "upgrade",
                                NAME,
                                Rendering.chart().toString(),
                                "--install",
                                "--namespace=" + NAMESPACE,
                                "--create-namespace",
                                "--values=-"),
                        VALUES.formatted(definitionsAreOurs) + values)
                .orThrow();
    }

    void uninstall() {
        helm.run("uninstall", NAME, "--namespace=" + NAMESPACE, "--wait");
    }

    String kubectl(String... arguments) {
        var all = new ArrayList<>(List.of("--namespace=" + NAMESPACE));
        all.addAll(List.of(arguments));
        return cluster.kubectl().tryTo(all, "").orThrow();
    }

    void apply(String manifest) {
        cluster.kubectl().apply(manifest);
    }

    @Override
    public void close() {
        uninstall();
        cluster.kubectl().run("delete", "namespace", NAMESPACE, "--ignore-not-found", "--timeout=180s");
        if (definitionsAreOurs) {
            for (String plural : List.of(
                    "vscstorageclasses",
                    "vpsas",
                    "vscnodes",
                    "volumes",
                    "externalvolumes",
                    "volumeattachments",
                    "snapshots")) {
                cluster.kubectl().run("delete", "crd", plural + ".storage.zadara.com", "--ignore-not-found");
            }
        }
    }
}
