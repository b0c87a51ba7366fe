package dev.stowage.node;

import dev.stowage.core.error.StowageException;
import dev.stowage.core.health.HealthIssue;
import dev.stowage.core.health.StorageIssue;
import dev.stowage.core.id.VolumeId;
import dev.stowage.linux.file.Directory;
import dev.stowage.linux.file.FileHandle;
import dev.stowage.linux.loop.LoopDevice;
import dev.stowage.linux.loop.LoopDevices;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Volumes that are files in a directory, attached by loop devices. */
final class FileDevices implements Devices {

    private static final int LOOP_MAJOR = 7;

    private final Path directory;
    boolean holdsEndWithProcess = true;
    boolean onlyOnThisNode;
    boolean unreadable;
    final AtomicInteger attachments = new AtomicInteger();
    Wait beforeLook = () -> {};

    interface Wait {
        void run() throws InterruptedException;
    }

    final List<Map<String, String>> tuned = new CopyOnWriteArrayList<>();
    final List<HealthIssue> issues = new ArrayList<>();

    FileDevices(Path directory) {
        this.directory = directory;
    }

    Path file(VolumeId volume) {
        return directory.resolve(volume.value());
    }

    private FileHandle open(VolumeId volume) {
        if (!Files.exists(file(volume))) {
            throw StowageException.notFound("volume %s does not exist", volume);
        }
        try (var opened = Directory.open(directory)) {
            return opened.open(volume.value(), true);
        }
    }

    private static Device device(LoopDevice loop, FileHandle.Identity identity) {
        return new Device(loop.path(), LOOP_MAJOR, loop.number(), text(identity));
    }

    private static String text(FileHandle.Identity identity) {
        return "file:" + identity.major() + ":" + identity.minor() + ":" + identity.inode();
    }

    @Override
    public Hold attach(VolumeId volume, How how) {
        attachments.incrementAndGet();
        try (var file = open(volume)) {
            var identity = file.identity();
            var loop = LoopDevices.find(identity)
                    .orElseGet(() -> LoopDevices.attach(
                            file, file(volume), new LoopDevices.Options(how.readOnly(), how.heldByMount())));
            var found = device(loop, identity);
            var device = unreadable
                    ? new Device(Path.of("/dev/gone"), found.major(), found.minor(), found.identity())
                    : found;
            return new Hold() {
                @Override
                public Device device() {
                    return device;
                }

                @Override
                public void close() {
                    loop.close();
                }
            };
        }
    }

    @Override
    public Optional<Device> attached(VolumeId volume) {
        try (var file = open(volume)) {
            return LoopDevices.find(file.identity()).map(loop -> {
                try (loop) {
                    return device(loop, file.identity());
                }
            });
        }
    }

    @Override
    public void detach(VolumeId volume, Optional<Device> recorded) {
        if (!Files.exists(file(volume))) {
            return;
        }
        try (var file = open(volume)) {
            LoopDevices.find(file.identity()).ifPresent(loop -> {
                try (loop) {
                    LoopDevices.detach(loop, file.identity());
                }
            });
        }
    }

    @Override
    public long resize(Device device) {
        LoopDevices.resize(device.minor());
        return LoopDevices.size(device.minor());
    }

    @Override
    public void setReadOnly(Device device, boolean readOnly) {
        LoopDevices.setReadOnly(device.minor(), readOnly);
    }

    @Override
    public long size(Device device) {
        waitBeforeLook();
        return LoopDevices.size(device.minor());
    }

    @Override
    public void tune(Device device, Map<String, String> volumeContext) {
        tuned.add(volumeContext);
    }

    @Override
    public List<HealthIssue> health(VolumeId volume) {
        waitBeforeLook();
        return List.copyOf(issues);
    }

    private void waitBeforeLook() {
        try {
            beforeLook.run();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Override
    public List<StorageIssue> storageHealth() {
        return List.of();
    }

    @Override
    public boolean holdsEndWithProcess() {
        return holdsEndWithProcess;
    }

    @Override
    public boolean onlyOnThisNode() {
        return onlyOnThisNode;
    }
}
