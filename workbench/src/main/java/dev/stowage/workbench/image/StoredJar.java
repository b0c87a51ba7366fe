package dev.stowage.workbench.image;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * A jar whose content is not compressed. What is compressed once does not get smaller a second time: with plain jars the layer around
 * them takes half the room, and a class is read without unpacking it.
 */
final class StoredJar {
    /** A zip archive has local times; this is the same everywhere. */
    private static final LocalDateTime TIME = LocalDateTime.of(2026, 1, 1, 0, 0);

    private StoredJar() {}

    static Path write(Path jar, Path stored) throws IOException {
        try (var from = new ZipFile(jar.toFile());
                var to = new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(stored)))) {
            to.setMethod(ZipOutputStream.STORED);
            for (var entry : from.stream().toList()) {
                if (entry.isDirectory()) {
                    continue;
                }
                byte[] content;
                try (var stream = from.getInputStream(entry)) {
                    content = stream.readAllBytes();
                }
                var checksum = new CRC32();
                checksum.update(content);
                var copy = new ZipEntry(entry.getName());
                copy.setTimeLocal(TIME);
                copy.setSize(content.length);
                copy.setCrc(checksum.getValue());
                to.putNextEntry(copy);
                to.write(content);
            }
        }
        return stored;
    }
}
