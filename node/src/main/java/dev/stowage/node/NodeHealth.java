package dev.stowage.node;

import static dev.stowage.core.health.HealthIssue.Status.DEGRADED;
import static dev.stowage.core.health.HealthIssue.Status.INACCESSIBLE;

import com.sun.nio.file.ExtendedOpenOption;
import dev.stowage.core.backend.NodeVolumes.Place;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.health.HealthIssue;
import dev.stowage.core.health.VolumeHealth;
import dev.stowage.core.id.TargetPath;
import dev.stowage.core.id.VolumeId;
import dev.stowage.linux.filesystem.FilesystemType;
import dev.stowage.node.Devices.Device;
import dev.stowage.node.record.UseRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What is wrong with a volume as this node sees it. Every look is fresh, so that what was mended is no longer reported. */
final class NodeHealth {

    private static final Path EXT4_IN_SYSFS = Path.of("/sys/fs/ext4");
    private static final int DIRECT_READ = 4096;

    private final Devices devices;
    private final NodeRecords records;
    private final Bounded<VolumeId, List<HealthIssue>> bounded;

    NodeHealth(Devices devices, NodeRecords records, Duration limit) {
        this.devices = devices;
        this.records = records;
        this.bounded = new Bounded<>(limit);
    }

    /** Where something should be, by its record. */
    private record Expected(Path path, UseRecord use, Optional<Device> device, boolean stage) {}

    VolumeHealth of(Place place) {
        var expected = expected(place);
        var volume = place.volume();
        var issues = bounded.look(volume, () -> look(volume, expected))
                .orElseGet(() -> List.of(new HealthIssue(
                        INACCESSIBLE,
                        "NotResponding",
                        "volume " + volume + " does not answer on this node; the storage below it may hang")));
        return new VolumeHealth(volume, issues);
    }

    private List<Expected> expected(Place place) {
        var all = all(place.volume());
        var asked = Stream.of(place.volumePath(), place.stagingPath())
                .flatMap(Optional::stream)
                .map(TargetPath::value)
                .toList();
        if (all.isEmpty()) {
            throw StowageException.notFound("volume %s is neither staged nor published on this node", place.volume());
        }
        for (var path : asked) {
            if (!all.containsKey(path)) {
                throw StowageException.notFound("volume %s is not staged or published at %s", place.volume(), path);
            }
        }
        return asked.isEmpty()
                ? List.copyOf(all.values())
                : asked.stream().distinct().map(all::get).toList();
    }

    private Map<String, Expected> all(VolumeId volume) {
        var all = new LinkedHashMap<String, Expected>();
        records.stage(volume)
                .ifPresent(record -> all.put(
                        record.getStagingPath(),
                        new Expected(
                                Path.of(record.getStagingPath()), record.getUse(), Recorded.device(record), true)));
        records.publications(volume)
                .forEach(record -> all.put(
                        record.getTarget(),
                        new Expected(Path.of(record.getTarget()), record.getUse(), Recorded.device(record), false)));
        return all;
    }

    private List<HealthIssue> look(VolumeId volume, List<Expected> expected) {
        var issues = new LinkedHashMap<String, HealthIssue>();
        devices.health(volume).forEach(issue -> issues.putIfAbsent(issue.reason(), issue));
        expected.stream()
                .flatMap(one -> one.device().stream())
                .filter(device -> !device.exported())
                .findFirst()
                .flatMap(device -> readDirectly(volume, device))
                .ifPresent(issue -> issues.putIfAbsent(issue.reason(), issue));
        for (var one : expected) {
            look(volume, one).forEach(issue -> issues.putIfAbsent(issue.reason(), issue));
        }
        return List.copyOf(issues.values());
    }

    private List<HealthIssue> look(VolumeId volume, Expected expected) {
        if (expected.device().isEmpty()) {
            return List.of(notMounted(volume, expected, "staging or publishing it was interrupted"));
        }
        var device = expected.device().get();
        if (expected.stage() && expected.use().getBlock()) {
            return attachedDevice(volume, expected, device);
        }
        return switch (Sight.at(expected.path(), expected.use(), device)) {
            case NOTHING -> List.of(notMounted(volume, expected, "nothing is mounted there"));
            case FOREIGN ->
                List.of(notMounted(volume, expected, Sight.describe(expected.path()) + " is mounted there instead"));
            case OURS ->
                expected.use().getBlock()
                        ? writableDevice(volume, expected, device)
                        : filesystem(volume, expected, device);
        };
    }

    private static HealthIssue notMounted(VolumeId volume, Expected expected, String what) {
        return new HealthIssue(
                INACCESSIBLE,
                "NotMounted",
                "volume " + volume + " should be at " + expected.path() + ", but " + what
                        + "; restart the pods that use it");
    }

    private List<HealthIssue> attachedDevice(VolumeId volume, Expected expected, Device device) {
        if (!devices.attached(volume).equals(Optional.of(device))) {
            return List.of(new HealthIssue(
                    INACCESSIBLE,
                    "NotAttached",
                    "volume " + volume + " is staged at " + expected.path() + ", but its device " + device.path()
                            + " is gone; restart the pods that use it"));
        }
        return List.of();
    }

    private static List<HealthIssue> writableDevice(VolumeId volume, Expected expected, Device device) {
        if (!expected.use().getReadOnly() && BlockDevice.readOnly(device)) {
            return List.of(new HealthIssue(
                    DEGRADED,
                    "DeviceReadOnly",
                    "volume " + volume + " is published for writing, but its device " + device.path()
                            + " has become read-only; check the storage below it"));
        }
        return List.of();
    }

    private static List<HealthIssue> filesystem(VolumeId volume, Expected expected, Device device) {
        var issues = new ArrayList<HealthIssue>();
        answers(volume, expected).ifPresent(issues::add);
        if (expected.use().getFilesystem().equals(FilesystemType.EXT4.mountName())) {
            ext4Errors(volume, device).ifPresent(issues::add);
        }
        if (!expected.use().getReadOnly() && Sight.readOnly(expected.path(), device)) {
            issues.add(
                    new HealthIssue(
                            DEGRADED,
                            "MountReadOnly",
                            "volume " + volume + " is mounted for writing at " + expected.path()
                                    + ", but has become read-only; the kernel's log tells why. Remount it, or restart the pods that use it"));
        }
        return issues;
    }

    private static Optional<HealthIssue> answers(VolumeId volume, Expected expected) {
        try (var entries = Files.newDirectoryStream(expected.path())) {
            // One entry is enough to make the filesystem read its root directory.
            var unused = entries.iterator().hasNext();
            return Optional.empty();
        } catch (IOException | DirectoryIteratorException failure) {
            return Optional.of(new HealthIssue(
                    INACCESSIBLE,
                    "FilesystemError",
                    "volume " + volume + ": its filesystem at " + expected.path() + " cannot be read: "
                            + Text.reason(failure) + ". The kernel's log tells why; restart the pods that use it"));
        }
    }

    private static Optional<HealthIssue> ext4Errors(VolumeId volume, Device device) {
        var file = EXT4_IN_SYSFS.resolve(BlockDevice.name(device)).resolve("errors_count");
        try {
            var count = Files.readString(file).strip();
            return count.equals("0")
                    ? Optional.empty()
                    : Optional.of(new HealthIssue(
                            INACCESSIBLE,
                            "FilesystemError",
                            "volume " + volume + ": the kernel met " + count + " errors in its ext4 filesystem on "
                                    + device.path()
                                    + "; end the pods that use it, it is checked when it is staged again"));
        } catch (NoSuchFileException gone) {
            return Optional.empty();
        } catch (IOException unreadable) {
            return Optional.of(new HealthIssue(
                    DEGRADED,
                    "Unknown",
                    "volume " + volume + ": cannot read " + file + ": " + Text.reason(unreadable)));
        }
    }

    private static Optional<HealthIssue> readDirectly(VolumeId volume, Device device) {
        var buffer = ByteBuffer.allocateDirect(2 * DIRECT_READ)
                .alignedSlice(DIRECT_READ)
                .limit(DIRECT_READ);
        try (var channel = FileChannel.open(device.path(), StandardOpenOption.READ, ExtendedOpenOption.DIRECT)) {
            channel.read(buffer, 0);
            return Optional.empty();
        } catch (NoSuchFileException gone) {
            return Optional.empty();
        } catch (IOException failure) {
            return Optional.of(new HealthIssue(
                    INACCESSIBLE,
                    "DeviceErrors",
                    "volume " + volume + ": its device " + device.path() + " cannot be read: " + Text.reason(failure)
                            + "; check the storage below it"));
        }
    }
}
