package dev.stowage.cli.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Memory of a process, in bytes.
 *
 * @param resident all of it that is in RAM
 * @param anonymous the part that is no file's, which the kernel could not simply drop
 */
public record Memory(long resident, long anonymous) {

    public static Memory of(long pid) throws IOException {
        return parse(Files.readString(Path.of("/proc", Long.toString(pid), "status")));
    }

    static Memory parse(String status) {
        return new Memory(kibibytes(status, "VmRSS"), kibibytes(status, "RssAnon"));
    }

    private static long kibibytes(String status, String field) {
        var line = Pattern.compile("^" + field + ":\\s+([0-9]+) kB$", Pattern.MULTILINE)
                .matcher(status);
        if (!line.find()) {
            throw new IllegalArgumentException("the status of the process has no field " + field + "; it has ended");
        }
        return Long.parseLong(line.group(1)) << 10;
    }
}
