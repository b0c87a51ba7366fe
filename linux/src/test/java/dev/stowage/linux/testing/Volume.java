package dev.stowage.linux.testing;

import dev.stowage.linux.file.Directory;
import dev.stowage.linux.file.FileHandle;
import dev.stowage.linux.filesystem.FilesystemType;
import dev.stowage.linux.filesystem.Filesystems;
import dev.stowage.linux.loop.LoopDevice;
import dev.stowage.linux.loop.LoopDevices;
import dev.stowage.linux.mount.Mounts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/** A sparse image with a filesystem, mounted through a loop device that goes when it is unmounted. */
public final class Volume implements AutoCloseable {
    public static final long MIB = 1024 * 1024;

    private final Scratch scratch;
    private final FileHandle image;
    private final UUID uuid = UUID.randomUUID();
    private final int loop;
    private final Path mountPoint;
    private final Directory directory;

    public Volume(FilesystemType type, long size, String... options) throws IOException {
        scratch = new Scratch();
        image = scratch.directory().create("image");
        image.truncate(size);
        mountPoint = scratch.path("mount");
        Mounts.ensureDirectory(mountPoint);
        try (var device = LoopDevices.attach(image, image.path(), new LoopDevices.Options(false, true))) {
            loop = device.number();
            mount(device, type, options);
        } catch (RuntimeException failure) {
            image.close();
            scratch.close();
            throw failure;
        }
        directory = Directory.open(mountPoint);
    }

    private void mount(LoopDevice device, FilesystemType type, String... options) {
        Filesystems.format(device.path(), type, uuid, List.of(options), "test");
        Mounts.mount(device.path(), mountPoint, type.mountName(), List.of());
    }

    public UUID uuid() {
        return uuid;
    }

    public FileHandle image() {
        return image;
    }

    public int loop() {
        return loop;
    }

    public Path mountPoint() {
        return mountPoint;
    }

    public Directory directory() {
        return directory;
    }

    @Override
    public void close() throws IOException {
        directory.close();
        Mounts.unmount(mountPoint);
        LoopDevices.detach(loop, image.identity());
        image.close();
        scratch.close();
    }
}
