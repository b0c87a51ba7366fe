package dev.stowage.workbench.install;

import dev.stowage.workbench.cluster.Cluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** A release of the chart in a cluster. */
public final class Installation {
    public static final String NAMESPACE = "stowage";
    public static final String RELEASE = "stowage";

    private final Cluster cluster;
    private final Helm helm;
    private final Path chart;
    private final String name;

    /** @param chart the chart's directory */
    public Installation(Cluster cluster, Path chart) {
        this(cluster, chart, RELEASE);
    }

    /** @param name of the release and of its namespace */
    public Installation(Cluster cluster, Path chart, String name) {
        this.cluster = cluster;
        this.name = name;
        this.helm = new Helm(cluster);
        this.chart = chart;
    }

    /** Brings the images to every node. */
    public void loadImages(Path product) {
        var state = cluster.layout().state();
        // Nodes have a /tmp of their own and would not find it there.
        var visible = state.resolve("product.tar");
        try {
            Files.copy(product, visible, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot copy the image " + product + " to " + visible, failure);
        }
        cluster.load(visible);
        SidecarImages.write(cluster.tools(), state.resolve("sidecars")).forEach(cluster::load);
    }

    /**
     * Installs or upgrades the release and waits until it works.
     *
     * @param image the product's image, as its archive names it
     * @param values what differs from the chart's defaults, as YAML
     * @param texts more of them, each as {@code key=text}
     */
    public void install(String image, String values, String... texts) {
        int tag = image.lastIndexOf(':');
        var arguments = new ArrayList<>(List.of(
                "upgrade",
                name,
                chart.toString(),
                "--install",
                "--namespace=" + name,
                "--create-namespace",
                "--wait",
                "--timeout=5m",
                "--set-string=image.repository=" + image.substring(0, tag),
                "--set-string=image.tag=" + image.substring(tag + 1),
                "--set-string=image.pullPolicy=Never"));
        for (String sidecar : List.of("provisioner", "resizer", "snapshotter")) {
            arguments.add("--set-string=sidecars." + sidecar + ".image=" + SidecarImages.name("csi-" + sidecar));
        }
        for (String text : texts) {
            arguments.add("--set-string=" + text);
        }
        arguments.add("--values=-");
        helm.tryTo(arguments, values).orThrow();
    }

    /** Removes the release; what it keeps stays. */
    public void uninstall() {
        helm.run("uninstall", name, "--namespace=" + name, "--wait");
    }

    public Helm helm() {
        return helm;
    }
}
