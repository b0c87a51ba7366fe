package dev.stowage.iscsi.kernel;

import dev.stowage.core.error.StowageException;
import dev.stowage.linux.command.CommandFailedException;
import dev.stowage.linux.command.Commands;
import dev.stowage.linux.scsi.ScsiDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Several paths to one unit as one device, by multipathd. */
final class Multipath {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration COMMAND = Duration.ofSeconds(30);

    /** A device of the device mapper, such as {@code dm-0} with the name {@code 36001405…}. */
    record Map(String kernelName, String name) {
        Path node() {
            return Path.of("/dev", kernelName);
        }
    }

    private Multipath() {}

    /** The map that has this path, if it is one of multipath. */
    static Optional<Map> of(ScsiDevice path) {
        return path.holder().flatMap(holder -> {
            try {
                var directory = Path.of("/sys/block", holder, "dm");
                return Files.readString(directory.resolve("uuid")).startsWith("mpath-")
                        ? Optional.of(new Map(
                                holder,
                                Files.readString(directory.resolve("name")).strip()))
                        : Optional.empty();
            } catch (IOException going) {
                return Optional.empty();
            }
        });
    }

    /** Has multipathd make one device of these paths, and returns when it has them all. */
    static Map join(List<ScsiDevice> paths) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (var path : paths) {
            path.node().ifPresent(Multipath::add);
        }
        while (true) {
            var maps = paths.stream().map(Multipath::of).distinct().toList();
            if (maps.size() == 1 && maps.getFirst().isPresent()) {
                return maps.getFirst().get();
            }
            if (System.nanoTime() > deadline) {
                throw StowageException.unavailable(
                        "the paths %s did not become one multipath device within %d s: is multipathd running, and does its configuration "
                                + "leave these devices to it?",
                        paths.stream().flatMap(path -> path.node().stream()).toList(), PATIENCE.toSeconds());
            }
            Sleep.aMoment();
        }
    }

    /** Some configurations only take paths whose identity was put down before. */
    private static void add(Path node) {
        Commands.run(COMMAND, "multipath", "-a", node.toString());
        Commands.run(COMMAND, "multipathd", "add", "path", String.valueOf(node.getFileName()));
    }

    /** Lets the map show the size that its paths have. */
    static void resize(Map map) {
        Commands.run(COMMAND, "multipathd", "resize", "map", map.name()).orThrow();
    }

    /** Takes the map away; what waits in it for a path that does not come back fails. */
    static void remove(Map map) {
        Commands.run(COMMAND, "multipathd", "disablequeueing", "map", map.name());
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (Files.exists(Path.of("/sys/block", map.kernelName()))) {
            var result = Commands.run(COMMAND, "multipath", "-f", map.name());
            if (result.exitCode() == 0) {
                return;
            }
            if (System.nanoTime() > deadline) {
                throw new CommandFailedException("multipath -f %s: exit code %d: the device may be in use: %s"
                        .formatted(
                                map.name(), result.exitCode(), result.stdout().strip()));
            }
            Sleep.aMoment();
        }
    }
}
