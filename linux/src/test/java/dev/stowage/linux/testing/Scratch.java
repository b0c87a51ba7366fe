package dev.stowage.linux.testing;

import dev.stowage.linux.file.Directory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** A directory of its own for one test. */
public final class Scratch implements AutoCloseable {
    private final Path path;
    private final Directory directory;

    public Scratch() throws IOException {
        path = Files.createTempDirectory("stowage-linux-test").toRealPath();
        directory = Directory.open(path);
    }

    public Path path() {
        return path;
    }

    public Path path(String name) {
        return path.resolve(name);
    }

    public Directory directory() {
        return directory;
    }

    @Override
    public void close() throws IOException {
        directory.close();
        try (var all = Files.walk(path)) {
            for (var each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
