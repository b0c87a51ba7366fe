package dev.stowage.workbench.image;

import dev.stowage.workbench.WorkbenchException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An image as one file that `ctr images import` takes: an OCI layout in a tar archive. */
public final class ImageArchive {
    static final String ARCHITECTURE = "aarch64".equals(System.getProperty("os.arch")) ? "arm64" : "amd64";

    private static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";
    private static final String CONFIG = "application/vnd.oci.image.config.v1+json";

    private ImageArchive() {}

    /** Writes an image with one layer that is not compressed. An image may have several names. */
    public static void write(Path file, ImageContent content, List<String> names) {
        var blob = file.resolveSibling(file.getFileName() + ".layer");
        try {
            var layer = Layer.write("content", content.entries(), Instant.EPOCH, blob, new Layer.Packing.Plain());
            write(file, List.of(layer), ImageSettings.starting(content.entrypoint(), content.command()), names);
            Files.delete(blob);
        } catch (IOException failure) {
            throw new WorkbenchException(
                    "cannot write the image %s to %s: %s".formatted(names.getFirst(), file, failure.getMessage()),
                    failure);
        }
    }

    /** Writes an image and returns the digest of its manifest, by which the image is known everywhere. */
    static String write(Path file, List<Layer> layers, ImageSettings settings, List<String> names) throws IOException {
        var config = Json.bytes(config(layers, settings));
        var manifest = Json.bytes(manifest(config, layers));
        var digest = Digests.of(manifest);
        var unfinished = file.resolveSibling(file.getFileName() + ".new");
        try (var tar = new TarWriter(new BufferedOutputStream(Files.newOutputStream(unfinished)))) {
            tar.file("oci-layout", 0644, Json.bytes(Map.of("imageLayoutVersion", "1.0.0")));
            tar.directory("blobs", 0755);
            tar.directory("blobs/sha256", 0755);
            for (var layer : layers) {
                tar.file("blobs/sha256/" + layer.digest(), 0644, layer.blob());
            }
            tar.file("blobs/sha256/" + Digests.of(config), 0644, config);
            tar.file("blobs/sha256/" + digest, 0644, manifest);
            tar.file("index.json", 0644, Json.bytes(index(digest, manifest.length, names)));
        }
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        return "sha256:" + digest;
    }

    private static Map<String, Object> config(List<Layer> layers, ImageSettings settings) {
        var start = new LinkedHashMap<String, Object>();
        if (!settings.user().isEmpty()) {
            start.put("User", settings.user());
        }
        start.put("Env", settings.environment());
        start.put("Entrypoint", settings.entrypoint());
        start.put("Cmd", settings.command());
        start.put("WorkingDir", settings.workingDirectory());
        if (!settings.labels().isEmpty()) {
            start.put("Labels", settings.labels());
        }
        return Json.object(
                "architecture",
                ARCHITECTURE,
                "os",
                "linux",
                "config",
                start,
                "rootfs",
                Json.object(
                        "type",
                        "layers",
                        "diff_ids",
                        layers.stream()
                                .map(layer -> "sha256:" + layer.contentDigest())
                                .toList()),
                "history",
                layers.stream()
                        .map(layer -> Map.of("created_by", "stowage image: " + layer.title()))
                        .toList());
    }

    private static Map<String, Object> manifest(byte[] config, List<Layer> layers) {
        return Json.object(
                "schemaVersion",
                2,
                "mediaType",
                MANIFEST,
                "config",
                descriptor(CONFIG, Digests.of(config), config.length),
                "layers",
                layers.stream()
                        .map(layer -> descriptor(layer.mediaType(), layer.digest(), layer.size()))
                        .toList());
    }

    private static Map<String, Object> index(String digest, int size, List<String> names) {
        var manifests = names.stream()
                .map(name -> {
                    var entry = descriptor(MANIFEST, digest, size);
                    entry.put(
                            "annotations",
                            Json.object(
                                    "io.containerd.image.name", name, "org.opencontainers.image.ref.name", tag(name)));
                    entry.put("platform", Json.object("architecture", ARCHITECTURE, "os", "linux"));
                    return entry;
                })
                .toList();
        return Json.object("schemaVersion", 2, "manifests", manifests);
    }

    private static Map<String, Object> descriptor(String mediaType, String digest, long size) {
        return Json.object("mediaType", mediaType, "digest", "sha256:" + digest, "size", size);
    }

    private static String tag(String name) {
        return name.substring(name.lastIndexOf(':') + 1);
    }
}
