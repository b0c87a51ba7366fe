package dev.stowage.clustertests.claim;

import dev.stowage.clustertests.image.ImageUnderTest;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.install.Installation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;

/** Stowage in the cluster of this run, installed for the first test that asks. It goes with the cluster. */
final class Installed {

    /** The disks of this machine need not be able to share blocks; a pool image can. */
    private static final String VALUES = """
            local:
              pool: {imageSize: 4Gi}
            controller:
              replicas: 1
            volumeAttributesClasses:
              - {name: thick, parameters: {provisioning: thick}}
            """;

    private static final Map<String, Installation> PRESENT = new HashMap<>();

    private Installed() {}

    static synchronized Installation in(Cluster cluster) {
        return PRESENT.computeIfAbsent(cluster.name(), name -> install(cluster));
    }

    private static Installation install(Cluster cluster) {
        try {
            var image = ImageUnderTest.get();
            var installation = new Installation(cluster, ImageUnderTest.home().resolve("charts/stowage"));
            installation.loadImages(image.built().file());
            upgrade(installation, ImageUnderTest.NAME, "");
            return installation;
        } catch (IOException failure) {
            throw new UncheckedIOException("the image could not be built", failure);
        }
    }

    /**
     * Installs, or changes what is installed.
     *
     * @param more values beside those of every installation here, as YAML
     */
    static void upgrade(Installation installation, String image, String more) {
        installation.install(image, VALUES + more);
    }
}
