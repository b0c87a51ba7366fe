package dev.stowage.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the kernel lets this process do beyond being root, which a container may have only in part. */
final class Capabilities {

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String EFFECTIVE = "CapEff:";
    private static final int SYS_RESOURCE = 24;

    private Capabilities() {}

    /** Whether reserved resources may be used; growing a mounted ext4 counts as that. */
    static boolean resource() {
        try (var lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith(EFFECTIVE))
                    .map(line -> Long.parseUnsignedLong(
                            line.substring(EFFECTIVE.length()).strip(), 16))
                    .anyMatch(bits -> (bits >> SYS_RESOURCE & 1) == 1);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + STATUS, unreadable);
        }
    }
}
