package dev.stowage.conformance.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A directory of its own for a test. When it is closed, everything in it must be gone from the kernel: a mount or a loop device that
 * is left is a failure of the test, and is taken away so that others do not suffer from it.
 */
public final class Workspace implements AutoCloseable {

    private final Path root;

    private Workspace(Path root) {
        this.root = root;
    }

    public static Workspace create() {
        try {
            // Short, because a unix socket's path must be.
            return new Workspace(Files.createTempDirectory("stowage-test-").toRealPath());
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }

    public Path root() {
        return root;
    }

    public Path directory(String name) {
        try {
            return Files.createDirectories(root.resolve(name));
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Mounts and loop devices of this workspace that the kernel still has. */
    public List<String> leftovers() {
        var left = new ArrayList<String>();
        mounts().forEach(mount -> left.add("mount " + mount));
        loops().forEach(loop -> left.add("loop device " + loop));
        return left;
    }

    /** The mount points below the workspace, the innermost first. */
    public List<Path> mounts() {
        try {
            var mounts = new ArrayList<Path>();
            for (String line : Files.readAllLines(Path.of("/proc/self/mountinfo"))) {
                Path target = Path.of(line.split(" ")[4].replace("\\040", " "));
                if (target.startsWith(root)) {
                    mounts.addFirst(target);
                }
            }
            return mounts;
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** The loop devices whose file is below the workspace. */
    public List<Path> loops() {
        var loops = new ArrayList<Path>();
        try (var devices = Files.newDirectoryStream(Path.of("/sys/block"), "loop*")) {
            for (Path device : devices) {
                Path backing = device.resolve("loop/backing_file");
                if (Files.exists(backing) && Files.readString(backing).startsWith(root + "/")) {
                    loops.add(Path.of("/dev").resolve(device.getFileName()));
                }
            }
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
        return loops;
    }

    /** Runs a program that must succeed. */
    public static String run(String... command) {
        try {
            var process = Spawning.start(new ProcessBuilder(command).redirectErrorStream(true));
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(String.join(" ", command) + " failed: " + output);
            }
            return output;
        } catch (IOException | InterruptedException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Takes everything away by force. */
    public void clear() {
        for (int attempt = 0; attempt < 3 && !leftovers().isEmpty(); attempt++) {
            // Found before anything is unmounted: a file on a filesystem that is no longer mounted has another path.
            var loops = loops();
            mounts().forEach(mount -> attempt("umount", "-l", mount.toString()));
            loops.forEach(loop -> attempt("losetup", "-d", loop.toString()));
        }
    }

    private static void attempt(String... command) {
        try {
            run(command);
        } catch (IllegalStateException goneMeanwhile) {
            // What matters is what is left in the end, and that is checked.
        }
    }

    @Override
    public void close() {
        var left = leftovers();
        clear();
        try (var entries = Files.walk(root)) {
            for (Path entry : entries.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(entry);
            }
        } catch (IOException failure) {
            throw new IllegalStateException("the workspace could not be removed, left were " + left, failure);
        }
        if (!left.isEmpty()) {
            throw new AssertionError("left behind: " + left);
        }
    }
}
