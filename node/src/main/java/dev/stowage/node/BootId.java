package dev.stowage.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Which run of the kernel this is. */
final class BootId {

    private static final Path SOURCE = Path.of("/proc/sys/kernel/random/boot_id");

    private BootId() {}

    static String current() {
        try {
            return Files.readString(SOURCE).strip();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(
                    "cannot read " + SOURCE + ", without which a reboot cannot be noticed", unreadable);
        }
    }
}
