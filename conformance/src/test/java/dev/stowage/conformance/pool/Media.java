package dev.stowage.conformance.pool;

import dev.stowage.conformance.harness.Workspace;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/** Disks made of files, and filesystems on them. All of it goes when this is closed, the last first. */
public final class Media implements AutoCloseable {

    private final Workspace workspace;
    private final Deque<Runnable> undo = new ArrayDeque<>();

    public Media(Workspace workspace) {
        this.workspace = workspace;
    }

    /** A file of zeros that takes no room. */
    public Path file(String name, long size) {
        Path file = workspace.root().resolve(name);
        try (var opened = new RandomAccessFile(file.toFile(), "rw")) {
            opened.setLength(size);
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
        return file;
    }

    /** The file as a disk. */
    public Path disk(Path file) {
        String device =
                Workspace.run("losetup", "--find", "--show", file.toString()).strip();
        undo.push(() -> Workspace.run("losetup", "--detach", device));
        return Path.of(device);
    }

    /** A blank disk. */
    public Path disk(String name, long size) {
        return disk(file(name, size));
    }

    /** A directory on a filesystem of its own. */
    public Path filesystem(String type, String name, long size) {
        Path image = file(name + ".img", size);
        Workspace.run("mkfs." + type, "-q", image.toString());
        return mount(disk(image), name);
    }

    public Path mount(Path device, String name, String... options) {
        Path directory = workspace.directory(name);
        Workspace.run(
                "mount",
                "-o",
                String.join(",", options.length == 0 ? new String[] {"rw"} : options),
                device.toString(),
                directory.toString());
        undo.push(() -> Workspace.run("umount", directory.toString()));
        return directory;
    }

    @Override
    public void close() {
        while (!undo.isEmpty()) {
            undo.pop().run();
        }
    }
}
