package dev.stowage.workbench.image;

import dev.stowage.workbench.WorkbenchException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/** An image as one file that `ctr images import` takes: an OCI layout in a tar archive, with one layer that is not compressed. */
public final class ImageArchive {
    private static final String ARCHITECTURE = "aarch64".equals(System.getProperty("os.arch")) ? "arm64" : "amd64";

    private ImageArchive() {}

    /** Writes the archive. An image may have several names. */
    public static void write(Path file, ImageContent content, List<String> names) {
        var layer = file.resolveSibling(file.getFileName() + ".layer");
        try {
            var layerDigest = writeLayer(layer, content);
            var config = config(content, layerDigest);
            var manifest = manifest(config, layerDigest, Files.size(layer));
            try (var tar = new TarWriter(new BufferedOutputStream(Files.newOutputStream(file)))) {
                tar.file("oci-layout", 0644, bytes("{\"imageLayoutVersion\":\"1.0.0\"}"));
                tar.directory("blobs", 0755);
                tar.directory("blobs/sha256", 0755);
                tar.file("blobs/sha256/" + layerDigest, 0644, layer);
                tar.file("blobs/sha256/" + digest(config), 0644, config);
                tar.file("blobs/sha256/" + digest(manifest), 0644, manifest);
                tar.file("index.json", 0644, index(manifest, names));
            }
            Files.delete(layer);
        } catch (IOException failure) {
            throw new WorkbenchException(
                    "cannot write the image %s to %s: %s".formatted(names.getFirst(), file, failure.getMessage()),
                    failure);
        }
    }

    private static String writeLayer(Path layer, ImageContent content) throws IOException {
        var digest = sha256();
        try (var tar =
                new TarWriter(new DigestOutputStream(new BufferedOutputStream(Files.newOutputStream(layer)), digest))) {
            for (var entry : content.entries()) {
                switch (entry) {
                    case ImageContent.DirectoryEntry(var name, var mode) -> tar.directory(name, mode);
                    case ImageContent.LinkEntry(var name, var target) -> tar.link(name, target);
                    case ImageContent.TextEntry(var name, var text) -> tar.file(name, 0644, bytes(text));
                    case ImageContent.ProgramEntry(var name, var program) -> tar.file(name, 0755, program);
                }
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static byte[] config(ImageContent content, String layerDigest) {
        return bytes("""
                {"architecture":"%s","os":"linux",\
                "config":{"Env":["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],"Entrypoint":%s,"Cmd":%s},\
                "rootfs":{"type":"layers","diff_ids":["sha256:%s"]}}""".formatted(ARCHITECTURE, array(content.entrypoint()), array(content.command()), layerDigest));
    }

    private static byte[] manifest(byte[] config, String layerDigest, long layerSize) {
        return bytes("""
                {"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json",\
                "config":{"mediaType":"application/vnd.oci.image.config.v1+json","digest":"sha256:%s","size":%d},\
                "layers":[{"mediaType":"application/vnd.oci.image.layer.v1.tar","digest":"sha256:%s","size":%d}]}""".formatted(digest(config), config.length, layerDigest, layerSize));
    }

    private static byte[] index(byte[] manifest, List<String> names) {
        var entries = names.stream()
                .map(name -> """
                        {"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"sha256:%s","size":%d,\
                        "annotations":{"io.containerd.image.name":"%s"},\
                        "platform":{"architecture":"%s","os":"linux"}}""".formatted(digest(manifest), manifest.length, name, ARCHITECTURE))
                .collect(Collectors.joining(","));
        return bytes("{\"schemaVersion\":2,\"manifests\":[" + entries + "]}");
    }

    private static String array(List<String> texts) {
        return texts.stream().map(text -> "\"" + text + "\"").collect(Collectors.joining(",", "[", "]"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String digest(byte[] content) {
        return HexFormat.of().formatHex(sha256().digest(content));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
