package dev.stowage.linux.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Who has a file open. */
public final class Openers {

    private static final Path PROCESSES = Path.of("/proc");

    private Openers() {}

    /** The other processes on this machine that have this file open, as far as they can be seen. */
    public static List<Long> othersOf(Path file) {
        long self = ProcessHandle.current().pid();
        var found = new ArrayList<Long>();
        try (var processes = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
            for (Path process : processes) {
                long id = Long.parseLong(process.getFileName().toString());
                if (id != self && hasOpen(process, file)) {
                    found.add(id);
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("the list of processes cannot be read", failure);
        }
        return found;
    }

    private static boolean hasOpen(Path process, Path file) {
        try (var descriptors = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path descriptor : descriptors) {
                if (leadsTo(descriptor, file)) {
                    return true;
                }
            }
            return false;
        } catch (IOException gone) {
            // The process has ended meanwhile, or is not for us to look into; ours always are.
            return false;
        }
    }

    private static boolean leadsTo(Path descriptor, Path file) {
        try {
            return Files.readSymbolicLink(descriptor).equals(file);
        } catch (IOException closed) {
            return false;
        }
    }
}
