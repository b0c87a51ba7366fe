package dev.stowage.workbench.image;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A Debian package, unpacked.
 *
 * @param source the name and version of the source package
 * @param digest SHA-256 of the package file
 * @param dependencies names of the packages it depends on
 * @param files the directory that it is unpacked in
 */
record DebianPackage(
        String name,
        String version,
        String architecture,
        String source,
        String digest,
        List<String> dependencies,
        Path files) {

    /**
     * Where a file is, by the name that it has on a machine, whose /bin, /sbin and /lib are in /usr. The package may still have it
     * outside of /usr.
     */
    Optional<Path> find(String name) {
        var inUsr = files.resolve(name);
        if (Files.exists(inUsr, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.of(inUsr);
        }
        if (name.startsWith("usr/")) {
            var atRoot = files.resolve(name.substring("usr/".length()));
            if (Files.exists(atRoot, LinkOption.NOFOLLOW_LINKS)) {
                return Optional.of(atRoot);
            }
        }
        return Optional.empty();
    }
}
