package dev.stowage.iscsi.kernel;

import dev.stowage.core.error.StowageException;
import dev.stowage.iscsi.Iqn;
import dev.stowage.iscsi.Portal;
import dev.stowage.linux.effect.Effects;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The records of open-iscsi, one file for each target and portal. Its tool takes settings as arguments, which everybody can read, so
 * what may hold a secret is written here, for root alone.
 */
final class NodeDatabase {

    /** Debian, and where newer versions keep it. */
    private static final List<Path> PLACES = List.of(Path.of("/etc/iscsi/nodes"), Path.of("/var/lib/iscsi/nodes"));

    /** Changes settings of a record that there is. */
    void set(Iqn target, Portal portal, Map<String, String> settings) {
        var file = find(target, portal);
        var fresh = file.resolveSibling("." + file.getFileName() + ".new");
        Effects.run("write-record", file.toString(), () -> {
            try {
                Files.deleteIfExists(fresh);
                Files.createFile(
                        fresh, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
                Files.write(fresh, changed(Files.readAllLines(file), settings));
                Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException failure) {
                throw StowageException.internal(
                        failure,
                        "the record of target %s at %s cannot be written (%s)",
                        target,
                        portal,
                        failure.getMessage());
            }
        });
    }

    static List<String> changed(List<String> lines, Map<String, String> settings) {
        var changed = new ArrayList<String>();
        boolean written = false;
        for (var line : lines) {
            int equals = line.indexOf('=');
            if (equals > 0 && settings.containsKey(line.substring(0, equals).strip())) {
                continue;
            }
            if (line.startsWith("# END RECORD")) {
                settings.forEach((name, value) -> changed.add(name + " = " + value));
                written = true;
            }
            changed.add(line);
        }
        if (!written) {
            settings.forEach((name, value) -> changed.add(name + " = " + value));
        }
        return changed;
    }

    private static Path find(Iqn target, Portal portal) {
        var name = portal.host() + "," + portal.port();
        for (var place : PLACES) {
            var directory = place.resolve(target.value());
            try (var records = Files.newDirectoryStream(directory, name + "*")) {
                for (var record : records) {
                    return Files.isDirectory(record) ? record.resolve("default") : record;
                }
            } catch (IOException elsewhere) {
                continue;
            }
        }
        throw StowageException.internal(
                "open-iscsi made no record of target %s at %s in %s; does it keep its records elsewhere?",
                target, portal, PLACES);
    }
}
