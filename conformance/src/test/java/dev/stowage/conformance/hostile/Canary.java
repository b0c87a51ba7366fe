package dev.stowage.conformance.hostile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** A tree that is none of the driver's business: whatever is done, it must stay as it was planted, to the byte and the nanosecond. */
record Canary(Path root, Map<String, String> planted) {

    static Canary plant(Path root) {
        try {
            Files.createDirectories(root.resolve("deep/deeper"));
            Files.writeString(root.resolve("note"), "do not touch");
            Files.writeString(root.resolve("deep/image"), "x".repeat(1 << 20));
            Files.writeString(root.resolve("deep/deeper/program"), "#!/bin/sh\n");
            Files.setPosixFilePermissions(
                    root.resolve("deep/deeper/program"), PosixFilePermissions.fromString("rwxr-x---"));
            Files.setPosixFilePermissions(root.resolve("deep"), PosixFilePermissions.fromString("rwx-wx--x"));
            Files.createSymbolicLink(root.resolve("link"), Path.of("deep/image"));
            return new Canary(root, look(root));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    Path file() {
        return root.resolve("deep/image");
    }

    Path directory() {
        return root.resolve("deep");
    }

    Map<String, String> now() {
        return look(root);
    }

    private static Map<String, String> look(Path root) {
        var state = new TreeMap<String, String>();
        try (var entries = Files.walk(root)) {
            for (Path entry : entries.toList()) {
                var attributes = Files.readAttributes(entry, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                String content = attributes.isSymbolicLink()
                        ? "to " + Files.readSymbolicLink(entry)
                        : attributes.isRegularFile() ? digest(entry) : "directory";
                state.put(
                        root.relativize(entry).toString(),
                        String.join(
                                " ",
                                PosixFilePermissions.toString(attributes.permissions()),
                                attributes.owner().getName(),
                                attributes.group().getName(),
                                Long.toString(attributes.size()),
                                attributes.lastModifiedTime().toString(),
                                content));
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return state;
    }

    private static String digest(Path file) throws IOException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
