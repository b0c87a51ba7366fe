package dev.stowage.node;

import dev.stowage.core.backend.NodeVolumes.NodeInfo;
import dev.stowage.core.backend.NodeVolumes.Place;
import dev.stowage.core.backend.NodeVolumes.Publish;
import dev.stowage.core.backend.NodeVolumes.Stage;
import dev.stowage.core.id.NodeId;
import dev.stowage.core.id.TargetPath;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.AccessMode;
import dev.stowage.core.volume.Sizes;
import dev.stowage.core.volume.VolumeUse;
import dev.stowage.linux.command.Commands;
import dev.stowage.linux.filesystem.FilesystemType;
import dev.stowage.linux.loop.LoopDevices;
import dev.stowage.linux.mount.Mounts;
import dev.stowage.linux.record.RecordLog;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A node with volumes that are files, in a directory of its own. Closing it takes away every mount and loop device that it made. */
final class TestNode implements AutoCloseable {

    static final VolumeUse EXT4 = filesystem("ext4");
    static final VolumeUse BLOCK = new VolumeUse(new VolumeUse.Block(), AccessMode.SINGLE_NODE_WRITER);

    private final Path root;
    final FileDevices devices;
    final FileEphemerals ephemerals;
    private final Set<Path> stagingPaths = ConcurrentHashMap.newKeySet();
    private RecordLog log;
    NodeRecords records;
    NodeEngine engine;

    TestNode() {
        try {
            root = Files.createTempDirectory("stowage-node-test-").toRealPath();
            for (var name : List.of("volumes", "staging", "pods")) {
                Files.createDirectory(root.resolve(name));
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        devices = new FileDevices(root.resolve("volumes"));
        ephemerals = new FileEphemerals(devices);
        log = RecordLog.open(root.resolve("records"), "test");
        records = new NodeRecords(log);
        engine = newEngine();
    }

    private NodeEngine newEngine() {
        var info = new NodeInfo(new NodeId("node-1"), 0, Optional.empty());
        return new NodeEngine(info, devices, Optional.of(ephemerals), records, Duration.ofSeconds(2));
    }

    /** The process ends without a goodbye, and another starts. */
    void crashAndRestart() {
        log.close();
        log = RecordLog.open(root.resolve("records"), "test");
        records = new NodeRecords(log);
        engine = newEngine();
        engine.recover();
    }

    static long size(FilesystemType type) {
        return switch (type) {
            case EXT4 -> 64 * Sizes.MIB;
            case XFS -> 320 * Sizes.MIB;
            case BTRFS -> 160 * Sizes.MIB;
        };
    }

    static VolumeUse filesystem(String type) {
        return filesystem(type, AccessMode.SINGLE_NODE_WRITER);
    }

    static VolumeUse filesystem(FilesystemType type) {
        return filesystem(type.mountName());
    }

    static VolumeUse filesystem(String type, AccessMode mode, String... flags) {
        return new VolumeUse(new VolumeUse.Mount(type, List.of(flags), Optional.empty()), mode);
    }

    static VolumeUse forGroup(String type, int group) {
        return new VolumeUse(
                new VolumeUse.Mount(type, List.of(), Optional.of(group)), AccessMode.SINGLE_NODE_MULTI_WRITER);
    }

    static VolumeUse block(AccessMode mode) {
        return new VolumeUse(new VolumeUse.Block(), mode);
    }

    VolumeId volume(String name, long bytes) {
        var volume = new VolumeId(name);
        resizeFile(volume, bytes);
        return volume;
    }

    VolumeId volume(String name, FilesystemType type) {
        return volume(name, size(type));
    }

    /** Gives the file a size, which may leave its loop device behind. */
    void resizeFile(VolumeId volume, long bytes) {
        try (var file = new RandomAccessFile(devices.file(volume).toFile(), "rw")) {
            file.setLength(bytes);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    VolumeId copy(VolumeId source, String name) {
        var copy = new VolumeId(name);
        var from = devices.file(source).toString();
        Commands.run(
                        Duration.ofSeconds(30),
                        "cp",
                        "--sparse=always",
                        from,
                        devices.file(copy).toString())
                .orThrow();
        return copy;
    }

    TargetPath stagingPath(VolumeId volume) {
        var path = root.resolve("staging").resolve(volume.value());
        try {
            // A filesystem that has shut down there does not even say that the directory exists.
            if (stagingPaths.add(path)) {
                Files.createDirectory(path);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return new TargetPath(path.toString());
    }

    TargetPath target(String pod) {
        return new TargetPath(root.resolve("pods").resolve(pod).toString());
    }

    static Path path(TargetPath path) {
        return Path.of(path.value());
    }

    Path root() {
        return root;
    }

    void stage(VolumeId volume, VolumeUse use) {
        stage(volume, use, Map.of());
    }

    void stage(VolumeId volume, VolumeUse use, Map<String, String> context) {
        engine.stage(new Stage(volume, stagingPath(volume), use, Map.of(), context));
    }

    void unstage(VolumeId volume) {
        engine.unstage(volume, stagingPath(volume));
    }

    void publish(VolumeId volume, String pod, VolumeUse use, boolean readOnly) {
        engine.publish(
                new Publish(volume, Optional.of(stagingPath(volume)), target(pod), use, readOnly, Map.of(), Map.of()));
    }

    void publishEphemeral(VolumeId volume, String pod, VolumeUse use, boolean readOnly, Map<String, String> context) {
        var all = new HashMap<>(context);
        all.put(EphemeralPublications.MARK, "true");
        engine.publish(new Publish(volume, Optional.empty(), target(pod), use, readOnly, Map.of(), all));
    }

    void unpublish(VolumeId volume, String pod) {
        engine.unpublish(volume, target(pod));
    }

    Place staged(VolumeId volume) {
        return new Place(volume, Optional.of(stagingPath(volume)), Optional.empty());
    }

    Place published(VolumeId volume, String pod) {
        return new Place(volume, Optional.of(target(pod)), Optional.of(stagingPath(volume)));
    }

    /** The mounts below this node's directory. */
    List<Path> mounts() {
        return Mounts.all().stream()
                .map(mount -> mount.target())
                .filter(target -> target.startsWith(root) && !target.equals(root))
                .toList();
    }

    /** The loop devices of this node's volumes. */
    List<LoopDevices.Attached> loops() {
        return LoopDevices.attached().stream()
                .filter(loop -> loop.backingFile().startsWith(root.toString()))
                .toList();
    }

    @Override
    public void close() {
        log.close();
        // What was mounted last lies on top.
        mounts().reversed().forEach(Mounts::unmount);
        loops().forEach(loop -> LoopDevices.detach(loop.number(), loop.backing()));
        try (var files = Files.walk(root)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
