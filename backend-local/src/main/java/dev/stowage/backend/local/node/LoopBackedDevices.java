package dev.stowage.backend.local.node;

import dev.stowage.backend.local.pool.Pool;
import dev.stowage.backend.local.volume.VolumeCheck;
import dev.stowage.backend.local.volume.VolumeParameters;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.health.HealthIssue;
import dev.stowage.core.health.StorageIssue;
import dev.stowage.core.id.VolumeId;
import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.file.Directory;
import dev.stowage.linux.file.FileHandle;
import dev.stowage.linux.loop.LoopDevice;
import dev.stowage.linux.loop.LoopDevices;
import dev.stowage.linux.mount.Mounts;
import dev.stowage.node.Devices;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The pool's files as loop devices. */
public final class LoopBackedDevices implements Devices {

    private static final Logger LOG = LoggerFactory.getLogger(LoopBackedDevices.class);
    private static final int LOOP_MAJOR = 7;
    private static final Pattern LOOP_PATH = Pattern.compile("/dev/loop([0-9]{1,7})");
    private static final Pattern IDENTITY = Pattern.compile("file:([0-9]+):([0-9]+):([0-9]+)");

    private final Pool pool;
    private final PodVolumes podVolumes;
    private final VolumeCheck check;

    public LoopBackedDevices(Pool pool, PodVolumes podVolumes, VolumeCheck check) {
        this.pool = pool;
        this.podVolumes = podVolumes;
        this.check = check;
    }

    private record Held(Device device, Optional<LoopDevice> open) implements Hold {
        @Override
        public void close() {
            open.ifPresent(LoopDevice::close);
        }
    }

    @Override
    public Hold attach(VolumeId volume, How how) {
        try (FileHandle file = open(volume, !how.readOnly())) {
            var identity = file.identity();
            var existing = find(identity);
            if (existing.isPresent()) {
                if (existing.get().readOnly() == how.readOnly()) {
                    // Held open, so that it cannot vanish between being found and being mounted.
                    var open = LoopDevices.find(identity);
                    if (open.isPresent()) {
                        return new Held(device(existing.get().number(), identity), open);
                    }
                } else {
                    throw StowageException.notPossible(
                            "volume %s is attached as /dev/loop%d %s; unstage it before it is staged %s",
                            volume,
                            existing.get().number(),
                            existing.get().readOnly() ? "read-only" : "read-write",
                            how.readOnly() ? "read-only" : "read-write");
                }
            }
            var loop = LoopDevices.attach(
                    file,
                    directory(volume).path(volume.value()),
                    new LoopDevices.Options(how.readOnly(), how.heldByMount()));
            return new Held(device(loop.number(), identity), Optional.of(loop));
        }
    }

    @Override
    public boolean exists(VolumeId volume) {
        return directory(volume).exists(volume.value());
    }

    /** The kernel detaches an automatic loop device with its last user, and a process that dies uses nothing. */
    @Override
    public boolean holdsEndWithProcess() {
        return true;
    }

    @Override
    public boolean onlyOnThisNode() {
        return true;
    }

    @Override
    public Optional<Device> attached(VolumeId volume) {
        try (FileHandle file =
                Pool.open(directory(volume), volume.value(), false).orElse(null)) {
            if (file == null) {
                return Optional.empty();
            }
            var identity = file.identity();
            return find(identity).map(loop -> device(loop.number(), identity));
        }
    }

    @Override
    public void detach(VolumeId volume, Optional<Device> recorded) {
        // By the record first: the file may be gone while the device still holds it.
        recorded.ifPresent(device -> LoopDevices.detach(number(device), identity(device)));
        attached(volume).ifPresent(device -> LoopDevices.detach(number(device), identity(device)));
    }

    @Override
    public long resize(Device device) {
        LoopDevices.resize(number(device));
        return size(device);
    }

    @Override
    public void setReadOnly(Device device, boolean readOnly) {
        LoopDevices.setReadOnly(number(device), readOnly);
    }

    @Override
    public long size(Device device) {
        return LoopDevices.size(number(device));
    }

    @Override
    public void tune(Device device, Map<String, String> context) {
        int readAhead = VolumeParameters.readAhead(context);
        if (readAhead >= 0) {
            LoopDevices.setReadAhead(number(device), readAhead);
        }
    }

    @Override
    public List<HealthIssue> health(VolumeId volume) {
        return check.volume(volume, 0, true, check.pool());
    }

    @Override
    public List<StorageIssue> storageHealth() {
        return check.storage();
    }

    /**
     * Detaches devices of this pool that nobody remembers and that are not mounted: a crash came before they were put to use. Which
     * device is ours the files tell, not their names: a driver in another mount namespace has its own files under the same names.
     */
    public void detachUnclaimed(Set<VolumeId> remembered) {
        var attached = LoopDevices.attached();
        if (attached.isEmpty()) {
            return;
        }
        var mounted = new HashSet<String>();
        Mounts.all().forEach(mount -> mounted.add(mount.source()));
        var unclaimed = unclaimedFiles(remembered);
        for (var loop : attached) {
            if (unclaimed.contains(loop.backing()) && !mounted.contains("/dev/loop" + loop.number())) {
                detachUnclaimed(loop);
            }
        }
    }

    private static void detachUnclaimed(LoopDevices.Attached loop) {
        try {
            LoopDevices.detach(loop.number(), loop.backing());
        } catch (SyscallException failure) {
            if (!failure.is(Errno.EBUSY)) {
                throw failure;
            }
            LOG.warn(
                    "/dev/loop{} has {}, which this node does not remember, and is in use; it gives the file up with its last user",
                    loop.number(),
                    loop.backingFile());
        }
    }

    private Set<FileHandle.Identity> unclaimedFiles(Set<VolumeId> remembered) {
        var claimed = remembered.stream().map(VolumeId::value).collect(Collectors.toSet());
        var files = new HashSet<FileHandle.Identity>();
        for (var name : pool.volumes().names()) {
            if (claimed.contains(name)) {
                continue;
            }
            try (FileHandle file = pool.volumes().open(name, false)) {
                files.add(file.identity());
            } catch (SyscallException failure) {
                // What is gone again, or is a link or no file at all, has no device of ours.
                if (!failure.is(Errno.ENOENT) && !failure.is(Errno.ELOOP) && !failure.is(Errno.EINVAL)) {
                    throw failure;
                }
            }
        }
        return files;
    }

    private FileHandle open(VolumeId volume, boolean write) {
        return Pool.open(directory(volume), volume.value(), write)
                .orElseThrow(() -> StowageException.notFound(
                        "volume %s does not exist on this node: %s is not there",
                        volume, directory(volume).path(volume.value())));
    }

    private Directory directory(VolumeId volume) {
        return podVolumes.owns(volume) ? pool.ephemeral() : pool.volumes();
    }

    private static Optional<LoopDevices.Attached> find(FileHandle.Identity identity) {
        return LoopDevices.attached().stream()
                .filter(loop -> loop.backing().equals(identity))
                .findAny();
    }

    private static Device device(int number, FileHandle.Identity identity) {
        return new Device(
                Path.of("/dev/loop" + number),
                LOOP_MAJOR,
                number,
                "file:" + identity.major() + ":" + identity.minor() + ":" + identity.inode());
    }

    private static int number(Device device) {
        var match = LOOP_PATH.matcher(device.path().toString());
        if (!match.matches()) {
            throw StowageException.internal("device %s is not a loop device", device.path());
        }
        return Integer.parseInt(match.group(1));
    }

    private static FileHandle.Identity identity(Device device) {
        var match = IDENTITY.matcher(device.identity());
        if (!match.matches()) {
            throw StowageException.internal(
                    "device %s has the identity of something else: %s", device.path(), device.identity());
        }
        return new FileHandle.Identity(
                Integer.parseInt(match.group(1)), Integer.parseInt(match.group(2)), Long.parseLong(match.group(3)));
    }
}
