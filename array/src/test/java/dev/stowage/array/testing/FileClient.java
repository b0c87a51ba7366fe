package dev.stowage.array.testing;

import dev.stowage.array.iscsi.Portal;
import dev.stowage.linux.command.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/** A real NFS client that is not ours: libnfs and its tools. */
public record FileClient(Portal server, String export) {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String SCRIPT = "/dev/stowage/array/nfs_writer.py";

    private String url(String file) {
        return "nfs://%s%s/%s?version=4&nfsport=%d".formatted(server.plainHost(), export, file, server.port());
    }

    public Commands.Result list() {
        return query("nfs-ls", url(""));
    }

    public Commands.Result read(String file) {
        return query("nfs-cat", url(file));
    }

    /** Makes a file that was not there. */
    public Commands.Result write(String file, String text) throws IOException {
        var source = Files.createTempFile("stowage-nfs", "");
        try {
            Files.writeString(source, text);
            return query("nfs-cp", source.toString(), url(file));
        } finally {
            Files.delete(source);
        }
    }

    /** A server that was started lately tells new clients to wait. */
    private static Commands.Result query(String... arguments) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            var result = Commands.query(PATIENCE, arguments);
            if (!result.stderr().contains("NFS4ERR_GRACE") || System.nanoTime() > deadline) {
                return result;
            }
        }
    }

    /** Writes without end, with a line in the output for every write that was confirmed, until its input ends. */
    public Process keepWriting(String file, Path scratch, Path output) throws IOException {
        var script = scratch.resolve("nfs_writer.py");
        try (var source = Objects.requireNonNull(FileClient.class.getResourceAsStream(SCRIPT))) {
            Files.write(script, source.readAllBytes());
        }
        return new ProcessBuilder(
                        "python3", script.toString(), server.plainHost(), String.valueOf(server.port()), export, file)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }
}
