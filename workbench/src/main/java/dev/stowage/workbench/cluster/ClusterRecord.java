package dev.stowage.workbench.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Properties;

/** What has to be known about a cluster that somebody else started. */
record ClusterRecord(int nodes, int network, Tools tools) {

    ClusterRecord withNodes(int wanted) {
        return new ClusterRecord(wanted, network, tools);
    }

    static Optional<ClusterRecord> read(Layout layout) {
        if (!Files.exists(layout.record())) {
            return Optional.empty();
        }
        var properties = new Properties();
        try (var reader = Files.newBufferedReader(layout.record())) {
            properties.load(reader);
        } catch (IOException failure) {
            throw new UncheckedIOException("the record of the cluster " + layout.name() + " cannot be read", failure);
        }
        return Optional.of(new ClusterRecord(
                Integer.parseInt(properties.getProperty("nodes")),
                Integer.parseInt(properties.getProperty("network")),
                new Tools(Path.of(properties.getProperty("tools")))));
    }

    void write(Layout layout) {
        var text = "nodes=%d%nnetwork=%d%ntools=%s%n".formatted(nodes, network, tools.directory());
        var next = layout.record().resolveSibling("cluster.properties.new");
        try {
            Files.createDirectories(layout.state());
            // The administrator's key is in there.
            Files.setPosixFilePermissions(layout.state(), PosixFilePermissions.fromString("rwx------"));
            Files.writeString(next, text);
            Files.move(next, layout.record(), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failure) {
            throw new UncheckedIOException(
                    "the record of the cluster " + layout.name() + " cannot be written", failure);
        }
    }
}
