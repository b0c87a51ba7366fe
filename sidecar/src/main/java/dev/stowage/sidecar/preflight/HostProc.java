package dev.stowage.sidecar.preflight;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A /proc, mounted wherever it is. */
record HostProc(Path directory) {

    /** Whether a process of this name is alive, in whichever container it is. */
    boolean runs(String name) throws IOException {
        try (var processes = Files.newDirectoryStream(directory, HostProc::isProcess)) {
            for (var process : processes) {
                if (named(process, name) && alive(process)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isProcess(Path entry) {
        return entry.getFileName().toString().chars().allMatch(letter -> letter >= '0' && letter <= '9');
    }

    private static boolean named(Path process, String name) {
        return readIfThere(process.resolve("comm")).strip().equals(name);
    }

    /** The state follows the name, which may have anything in it, also parentheses. */
    private static boolean alive(Path process) {
        String stat = readIfThere(process.resolve("stat"));
        String state = stat.substring(stat.lastIndexOf(')') + 1).strip();
        return !state.isEmpty() && !state.startsWith("Z") && !state.startsWith("X");
    }

    /** A process may end while it is looked at; then its files can neither be opened nor read. */
    private static String readIfThere(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException ended) {
            return "";
        }
    }

    /** The lines of a file; nothing when this kernel does not have it. */
    Optional<List<String>> lines(String file) throws IOException {
        try {
            return Optional.of(Files.readAllLines(directory.resolve(file), StandardCharsets.ISO_8859_1));
        } catch (NoSuchFileException absent) {
            if (!Files.isDirectory(directory)) {
                throw absent;
            }
            return Optional.empty();
        }
    }

    /** The same one by one, for files of many lines. */
    Optional<Stream<String>> stream(String file) throws IOException {
        try {
            return Optional.of(Files.lines(directory.resolve(file), StandardCharsets.ISO_8859_1));
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        }
    }
}
