package dev.stowage.backend.vsc.node;

import dev.stowage.backend.vsc.secret.NodeKey;
import dev.stowage.core.backend.NodeVolumes.NodeInfo;
import dev.stowage.core.backend.NodeVolumes.Place;
import dev.stowage.core.backend.NodeVolumes.Publish;
import dev.stowage.core.backend.NodeVolumes.Stage;
import dev.stowage.core.id.NodeId;
import dev.stowage.core.id.TargetPath;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.AccessMode;
import dev.stowage.core.volume.VolumeUse;
import dev.stowage.iscsi.Iqn;
import dev.stowage.iscsi.qemu.InitiatorServer;
import dev.stowage.iscsi.qemu.QemuInitiator;
import dev.stowage.linux.loop.LoopDevices;
import dev.stowage.linux.mount.Mounts;
import dev.stowage.node.NodeEngine;
import dev.stowage.node.NodeRecords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** An array and a node that uses it, without a kernel's initiator. */
final class NodeUnderTest implements AutoCloseable {

    static final Iqn NAME = new Iqn("iqn.2026-01.dev.stowage.test:node-1");
    static final String NODE = "node-1";
    static final VolumeUse XFS =
            new VolumeUse(new VolumeUse.Mount("xfs", List.of(), Optional.empty()), AccessMode.SINGLE_NODE_WRITER);
    static final VolumeUse BLOCK = new VolumeUse(new VolumeUse.Block(), AccessMode.SINGLE_NODE_WRITER);

    final Path root;
    final ServedArray array;
    private InitiatorServer server;
    private MortalDevices mortal;
    final NodeKey key;
    private UnitRecords units;
    private NodeRecords records;
    IscsiDevices devices;
    NodeEngine engine;

    NodeUnderTest() throws IOException {
        root = Files.createTempDirectory("stowage-vsc-").toRealPath();
        for (var name : List.of("array", "staging", "pods", "i")) {
            Files.createDirectory(root.resolve(name));
        }
        array = new ServedArray(root.resolve("array"));
        server = InitiatorServer.start(root.resolve("i"), Duration.ofSeconds(3));
        key = NodeKey.of(root.resolve("state"), NODE);
        start();
    }

    private void start() {
        units = UnitRecords.open(root.resolve("units"), "test");
        records = NodeRecords.open(root.resolve("records"), "test");
        devices = new IscsiDevices(new QemuInitiator(NAME, root.resolve("i")), units, key);
        mortal = new MortalDevices(devices);
        engine = new NodeEngine(new NodeInfo(new NodeId(NODE), 0, Optional.empty()), mortal, Optional.empty(), records);
        engine.recover();
        devices.detachUnclaimed(engine.remembered());
    }

    void restart() {
        units.close();
        records.close();
        start();
    }

    /** The driver's process ends without a goodbye, and another starts. */
    void die() {
        mortal.die();
        restart();
    }

    void restartServer() {
        server.close();
        server = InitiatorServer.start(root.resolve("i"), Duration.ofSeconds(3));
    }

    Set<VolumeId> remembered() {
        return units.volumes();
    }

    Map<String, String> attach(VolumeId volume) {
        return array.attach(volume, NAME, NODE, key.publicKey(), false);
    }

    Map<String, String> attachReadOnly(VolumeId volume) {
        return array.attach(volume, NAME, NODE, key.publicKey(), true);
    }

    /** What a target would prove itself with if it had this secret, as this node is told it. */
    String sealedProof(VolumeId volume, String secret) {
        return ServedArray.sealedProof(secret, volume, NODE, key.publicKey());
    }

    TargetPath staging(VolumeId volume) {
        return new TargetPath(root.resolve("staging").resolve(volume.value()).toString());
    }

    TargetPath pod(String name) {
        return new TargetPath(root.resolve("pods").resolve(name).toString());
    }

    void stage(VolumeId volume, VolumeUse use, Map<String, String> context) {
        engine.stage(new Stage(volume, staging(volume), use, context, Map.of()));
    }

    void publish(VolumeId volume, String pod, VolumeUse use, Map<String, String> context) {
        engine.publish(new Publish(volume, Optional.of(staging(volume)), pod(pod), use, false, context, Map.of()));
    }

    void unstage(VolumeId volume) {
        engine.unstage(volume, staging(volume));
    }

    Place place(VolumeId volume) {
        return new Place(volume, Optional.of(staging(volume)), Optional.empty());
    }

    List<Path> daemons() throws IOException {
        try (var files = Files.list(root.resolve("i"))) {
            return files.filter(Files::isDirectory).toList();
        }
    }

    void killDaemons() throws IOException {
        for (var unit : daemons()) {
            var process = ProcessHandle.of(
                            Long.parseLong(Files.readString(unit.resolve("pid")).strip()))
                    .orElseThrow();
            process.destroyForcibly();
            process.onExit().join();
        }
    }

    List<LoopDevices.Attached> loops() {
        return LoopDevices.attached().stream()
                .filter(loop -> loop.backingFile().startsWith(root.toString()))
                .toList();
    }

    List<Path> mounts() {
        return Mounts.all().stream()
                .map(mount -> mount.target())
                .filter(target -> target.startsWith(root))
                .toList();
    }

    @Override
    public void close() throws IOException {
        units.close();
        records.close();
        mounts().reversed().stream()
                .filter(target -> !target.startsWith(root.resolve("i")))
                .forEach(Mounts::unmount);
        loops().forEach(loop -> LoopDevices.detach(loop.number(), loop.backing()));
        server.close();
        for (var unit : daemons()) {
            if (Files.exists(unit.resolve("pid"))) {
                ProcessHandle.of(Long.parseLong(
                                Files.readString(unit.resolve("pid")).strip()))
                        .ifPresent(process -> {
                            process.destroyForcibly();
                            process.onExit().join();
                        });
            }
            Mounts.unmountFromSight(unit.resolve("disk"));
        }
        array.close();
        try (var files = Files.walk(root)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
