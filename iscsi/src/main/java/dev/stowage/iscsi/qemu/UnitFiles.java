package dev.stowage.iscsi.qemu;

import dev.stowage.core.error.StowageException;
import dev.stowage.iscsi.qemu.wire.UnitState;
import dev.stowage.linux.file.Directory;
import dev.stowage.linux.file.FileHandle;
import dev.stowage.linux.mount.Mounts;
import java.nio.file.Path;
import java.time.Duration;

/** The units' files, as this process sees them. */
final class UnitFiles {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final Path directory;

    UnitFiles(Path directory) {
        this.directory = directory;
    }

    Path disk(UnitState state) {
        return directory.resolve(state.getKey()).resolve("disk");
    }

    boolean contains(String file) {
        return Path.of(file).startsWith(directory);
    }

    /** Opens the unit, never the empty file that its storage daemon hides by mounting over it. */
    FileHandle open(UnitState state) {
        if (Mounts.mountRoot(disk(state)).isEmpty()) {
            throw StowageException.unavailable(
                    "%s is served by the initiator but cannot be seen here: the mounts below %s have to reach the driver (mount "
                            + "propagation HostToContainer)",
                    UnitDaemons.address(state), directory);
        }
        try (var parent = Directory.open(directory.resolve(state.getKey()))) {
            return parent.open("disk", !state.getReadOnly());
        }
    }

    /** The kernel believes for a second what it last heard of the file. */
    void awaitSize(UnitState state) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        try (var file = open(state)) {
            while (file.size() != state.getBytes()) {
                if (System.nanoTime() > deadline) {
                    throw StowageException.unavailable(
                            "%s has %d bytes, but its file shows %d",
                            UnitDaemons.address(state), state.getBytes(), file.size());
                }
                Thread.sleep(PAUSE);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw StowageException.unavailable("interrupted while %s grew", UnitDaemons.address(state));
        }
    }
}
