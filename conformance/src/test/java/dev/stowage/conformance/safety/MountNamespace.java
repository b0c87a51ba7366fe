package dev.stowage.conformance.safety;

import dev.stowage.conformance.harness.Spawning;
import dev.stowage.conformance.harness.Workspace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A mount namespace in which a directory is seen in place of another, and in which a file of it was given to a device. */
final class MountNamespace implements AutoCloseable {
    private final Process process;
    private final String device;

    MountNamespace(Path directory, Path place, String name) throws IOException {
        var script = "mount --bind '%s' '%s' && losetup --find --show '%s' && read -r end"
                .formatted(directory, place, place.resolve(name));
        process = Spawning.start(new ProcessBuilder("unshare", "--mount", "sh", "-c", script)
                .redirectError(ProcessBuilder.Redirect.INHERIT));
        device = process.inputReader(StandardCharsets.UTF_8).readLine();
    }

    /** The name that the kernel tells for the device's file; nothing if it has none. */
    String backingFile() throws IOException {
        var file = Path.of("/sys/block/%s/loop/backing_file".formatted(device.substring("/dev/".length())));
        return Files.exists(file) ? Files.readString(file).strip() : "";
    }

    /** Ends the namespace; the device stays. */
    void end() throws IOException, InterruptedException {
        process.getOutputStream().close();
        process.waitFor();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        end();
        Workspace.run("losetup", "--detach", device);
    }
}
