package dev.stowage.iscsi;

import dev.stowage.core.error.StowageException;
import dev.stowage.linux.effect.Effects;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

/** The name of this machine's initiator: the one that it has, or one that is made once and kept. */
public final class InitiatorName {

    /** Where open-iscsi keeps it. */
    public static final Path OF_OPEN_ISCSI = Path.of("/etc/iscsi/initiatorname.iscsi");

    private static final String KEY = "InitiatorName=";
    private static final String PREFIX = "iqn.2026-01.dev.stowage:node-";
    private static final int RANDOM_BYTES = 8;

    private InitiatorName() {}

    /** The name in a file of open-iscsi's form. */
    public static Optional<Iqn> read(Path file) {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try (var lines = Files.lines(file)) {
            return lines.map(String::strip)
                    .filter(line -> line.startsWith(KEY))
                    .map(line -> new Iqn(line.substring(KEY.length()).strip()))
                    .findFirst();
        } catch (IOException failure) {
            throw StowageException.internal(
                    failure,
                    "the name of this machine's initiator cannot be read from %s (%s)",
                    file,
                    failure.getMessage());
        }
    }

    /** The name in the file; without one, a new one goes there first. */
    public static Iqn readOrMake(Path file) {
        var known = read(file);
        if (known.isPresent()) {
            return known.get();
        }
        var random = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(random);
        var name = new Iqn(PREFIX + HexFormat.of().formatHex(random));
        var beside = file.resolveSibling(file.getFileName() + ".new");
        Effects.run("create-file", file.toString(), () -> {
            try {
                Files.writeString(beside, KEY + name + "\n");
                try (var written = FileChannel.open(beside, StandardOpenOption.WRITE)) {
                    written.force(true);
                }
                Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException failure) {
                throw StowageException.internal(
                        failure,
                        "the name of this machine's initiator cannot be kept in %s (%s)",
                        file,
                        failure.getMessage());
            }
        });
        return name;
    }
}
