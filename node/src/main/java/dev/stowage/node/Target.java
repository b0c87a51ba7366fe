package dev.stowage.node;

import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.VolumeId;
import dev.stowage.linux.mount.Mounts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** The place that the orchestrator names for a publication: a directory for a filesystem, a file for a raw device. */
final class Target {

    private Target() {}

    /**
     * Looks whether the target can be used, without touching it.
     *
     * @return whether it is already there, and empty
     */
    static boolean exists(VolumeId volume, Path target, boolean block) {
        try {
            var attributes = Files.readAttributes(target, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (attributes.isSymbolicLink()) {
                throw StowageException.invalid(
                        "volume %s cannot be published at %s: it is a symbolic link", volume, target);
            }
            boolean rightKind = block ? attributes.isRegularFile() : attributes.isDirectory();
            if (!rightKind) {
                throw StowageException.notPossible(
                        "volume %s cannot be published at %s: it is there and is not %s; remove it first",
                        volume, target, block ? "a file" : "a directory");
            }
            if (block ? attributes.size() != 0 : !empty(target)) {
                throw StowageException.notPossible(
                        "volume %s cannot be published at %s: it is not empty, and its content would be hidden; move it away first",
                        volume, target);
            }
            return true;
        } catch (NoSuchFileException absent) {
            if (!Files.isDirectory(target.toAbsolutePath().resolveSibling(""))) {
                throw StowageException.notPossible(
                        "volume %s cannot be published at %s: the directory above it is missing", volume, target);
            }
            return false;
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot look at target " + target, failure);
        }
    }

    private static boolean empty(Path directory) throws IOException {
        try (var entries = Files.newDirectoryStream(directory)) {
            return !entries.iterator().hasNext();
        }
    }

    static void ensure(Path target, boolean block) {
        if (block) {
            Mounts.ensureFile(target);
        } else {
            Mounts.ensureDirectory(target);
        }
    }

    static boolean present(Path target) {
        return Files.exists(target, LinkOption.NOFOLLOW_LINKS);
    }
}
