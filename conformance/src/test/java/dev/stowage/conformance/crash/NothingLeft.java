package dev.stowage.conformance.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.linux.record.RecordLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Looks for what a life should not leave. */
final class NothingLeft {

    private NothingLeft() {}

    /** After everything was deleted, with the driver still running. */
    static void in(World world, long capacityAtFirst) {
        assertThat(world.listedVolumes()).as("volumes listed").isEmpty();
        assertThat(world.listedSnapshots()).as("snapshots listed").isEmpty();
        assertThat(world.capacity()).as("capacity").isEqualTo(capacityAtFirst);
        for (String directory : List.of("volumes", "snapshots", "ephemeral")) {
            assertThat(world.pool().resolve(directory)).isEmptyDirectory();
        }
        assertThat(world.workspace().mounts()).as("mounts").allMatch(mount -> mount.equals(world.pool()));
        assertThat(world.workspace().loops())
                .as("loop devices")
                .hasSize(world.workspace().mounts().size());
        assertThat(records(world, "controller.records"))
                .as("controller records")
                .isEmpty();
        assertThat(targets(world)).as("publish targets").isEmpty();
    }

    /** Right after a start: what belongs to things that are no more is forgotten, and nothing puzzled the driver. */
    static void afterStart(World world) {
        String log = world.takeLog();
        assertThat(log).doesNotContain("not on record", "could not be settled", "cannot compare", "ERROR");
        var known = new TreeSet<>(world.names().keySet());
        known.addAll(world.listedVolumes());
        assertThat(records(world, "node.records"))
                .as("node records of volumes that are no more")
                .allMatch(key -> known.contains(key.split("/", -1)[1]));
        assertThat(records(world, "controller.records"))
                .as("records of freezes")
                .noneMatch(key -> key.startsWith("freeze/"));
    }

    /** The keys of a record log, read from a copy: the log itself belongs to the driver. */
    static Set<String> records(World world, String name) {
        try {
            Path copy = Files.createTempFile(world.workspace().root(), "records", "");
            Files.write(copy, Files.readAllBytes(world.pool().resolve(name)));
            try (var log = RecordLog.open(copy, "this test")) {
                return new TreeSet<>(log.takeInitial().keySet());
            } finally {
                Files.delete(copy);
                Files.deleteIfExists(copy.resolveSibling(copy.getFileName() + ".lock"));
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static List<Path> targets(World world) {
        Path pods = world.workspace().directory("pods");
        try (var entries = Files.walk(pods, 2)) {
            return entries.filter(path -> pods.relativize(path).getNameCount() == 2)
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
