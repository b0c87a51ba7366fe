package dev.stowage.workbench.install;

import dev.stowage.workbench.WorkbenchException;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.process.Programs;
import dev.stowage.workbench.story.Story;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;

/** Brings what a checkout holds into a cluster: its image, and its chart. */
public final class SourceInstallation {
    private static final String IMAGE = "localhost/stowage:checkout";
    private static final Duration FOR_THE_IMAGE = Duration.ofMinutes(15);

    private final Path home;
    private final Story story;

    /** @param home the checkout */
    public SourceInstallation(Path home, Story story) {
        this.home = home;
        this.story = story;
    }

    /**
     * Installs, or upgrades what is installed.
     *
     * @param directory where the image is put
     * @param values what differs from the chart's defaults, as YAML
     */
    public void install(Cluster cluster, Path directory, String values) {
        var archive = directory.resolve("image.tar");
        story.step("image", () -> {
            Files.createDirectories(directory);
            Programs.run(
                            FOR_THE_IMAGE,
                            home.resolve("stowage").toString(),
                            "image",
                            "--name=" + IMAGE,
                            "--compression=3",
                            "--output=" + archive)
                    .orThrow();
            return "%d MB".formatted(Files.size(archive) / 1_000_000);
        });
        var installation = new Installation(cluster, home.resolve("charts/stowage"));
        story.step("images to the nodes", () -> {
            installation.loadImages(archive);
            return "of the driver and its sidecars";
        });
        story.step("chart", () -> {
            var digest = digest(archive);
            installation.install(IMAGE, values, onPodsOf("controller", digest), onPodsOf("node", digest));
            return "controller and nodes are ready";
        });
    }

    /** Another image under the same name starts new pods. */
    private static String onPodsOf(String workload, String digest) {
        return "%s.podAnnotations.stowage\\.dev/image=%s".formatted(workload, digest);
    }

    private static String digest(Path file) throws IOException {
        try (var in = new DigestInputStream(Files.newInputStream(file), MessageDigest.getInstance("SHA-256"))) {
            in.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(in.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new WorkbenchException("this Java has no SHA-256", impossible);
        }
    }
}
