package dev.stowage.cli.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The directory that everything of a run is in, and the processes that work there.
 *
 * <p>Closing it leaves nothing: what the drivers did not take down themselves, because they failed or were interrupted, is taken down
 * here. Only mounts below the directory and loop devices backed by files in it are touched.
 */
public final class Workspace implements AutoCloseable {

    private static final Duration COMMAND = Duration.ofSeconds(60);

    private final Path directory;
    private final List<Ending> endings = new ArrayList<>();
    private final Thread hook;
    private boolean closed;

    private Workspace(Path directory) {
        this.directory = directory;
        this.hook = Thread.ofPlatform().name("interrupted").unstarted(this::abandon);
    }

    public static Workspace in(Path parent) throws IOException {
        var workspace = new Workspace(
                Files.createTempDirectory(parent, "stowage-bench-").toRealPath());
        Runtime.getRuntime().addShutdownHook(workspace.hook);
        return workspace;
    }

    public Path directory() {
        return directory;
    }

    synchronized <T extends DriverUnderTest> T register(T driver) throws IOException {
        return start(() -> driver);
    }

    /** Something that is begun. */
    public interface Beginning<T> {
        T begin() throws IOException;
    }

    /** Begins what is to be ended with the run, the last first. */
    public synchronized <T extends Ending> T start(Beginning<T> beginning) throws IOException {
        if (closed) {
            throw new IOException("the run was interrupted");
        }
        T begun = beginning.begin();
        endings.add(begun);
        return begun;
    }

    /**
     * A directory of which nothing is written to a disk.
     *
     * @param size how much it may hold, which takes no memory before it is there; more than there is memory is fine for sparse files
     */
    public Path inMemory(String name, String size) throws IOException, InterruptedException {
        Path place = Files.createDirectory(directory.resolve(name));
        command("mount", "-t", "tmpfs", "-o", "size=" + size, "stowage-bench", place.toString());
        return place;
    }

    /** Waits until all that was written is on disk, so that nobody pays for what another left in memory. */
    void settle() throws IOException, InterruptedException {
        command("sync", "--file-system", directory.toString());
    }

    /** Whether two files here can have the same blocks. */
    boolean sharesBlocks() throws IOException, InterruptedException {
        Path one = directory.resolve("one");
        Path two = directory.resolve("two");
        Files.writeString(one, "blocks");
        try {
            return run("cp", "--reflink=always", one.toString(), two.toString()).exitCode() == 0;
        } finally {
            Files.deleteIfExists(one);
            Files.deleteIfExists(two);
        }
    }

    /** Whatever is still mounted or attached. */
    List<String> leftovers() throws IOException {
        var found = new ArrayList<String>();
        mounts().forEach(mount -> found.add("mount " + mount));
        loopDevices().forEach(device -> found.add("loop device " + device));
        return found;
    }

    private void abandon() {
        try {
            close();
        } catch (IOException | InterruptedException failure) {
            System.err.println("stowage: " + directory + " is not fully cleaned up: " + failure.getMessage());
        }
    }

    @Override
    public synchronized void close() throws IOException, InterruptedException {
        if (closed) {
            return;
        }
        closed = true;
        for (var ending : endings.reversed()) {
            ending.end();
        }
        // A filesystem may lie in a file of another one: what is on top hides what is below until it is gone.
        for (int layer = 0; layer < 8 && !leftovers().isEmpty(); layer++) {
            for (var mount : mounts().reversed()) {
                run("umount", mount);
            }
            for (var device : loopDevices()) {
                run("losetup", "--detach", device);
            }
        }
        if (!leftovers().isEmpty()) {
            throw new IOException("still in use: " + String.join(", ", leftovers()));
        }
        try (var tree = Files.walk(directory)) {
            for (var path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
        if (Thread.currentThread() != hook) {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }

    private List<String> mounts() throws IOException {
        var found = new ArrayList<String>();
        for (String line : Files.readAllLines(Path.of("/proc/self/mountinfo"))) {
            String target = line.split(" ")[4];
            if (target.startsWith(directory + "/")) {
                found.add(target);
            }
        }
        return found;
    }

    private List<String> loopDevices() throws IOException {
        var found = new ArrayList<String>();
        try (var devices = Files.newDirectoryStream(Path.of("/sys/block"), "loop*")) {
            for (var device : devices) {
                if (backingFile(device).startsWith(directory + "/")) {
                    found.add("/dev/" + device.getFileName());
                }
            }
        }
        return found;
    }

    private static String backingFile(Path device) {
        try {
            return Files.readString(device.resolve("loop/backing_file"));
        } catch (IOException notAttached) {
            return "";
        }
    }

    private record Finished(int exitCode, String output) {}

    private static void command(String... command) throws IOException, InterruptedException {
        var finished = run(command);
        if (finished.exitCode() != 0) {
            throw new IOException(String.join(" ", command) + ": " + finished.output());
        }
    }

    private static Finished run(String... command) throws IOException, InterruptedException {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(COMMAND.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(String.join(" ", command) + " did not end");
        }
        return new Finished(process.exitValue(), output.strip());
    }
}
