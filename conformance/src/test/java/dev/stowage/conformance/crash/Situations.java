package dev.stowage.conformance.crash;

import com.google.protobuf.Message;
import csi.v1.CapacityRange;
import csi.v1.ControllerExpandVolumeRequest;
import csi.v1.ControllerModifyVolumeRequest;
import csi.v1.CreateVolumeRequest;
import csi.v1.NodeExpandVolumeRequest;
import csi.v1.NodeUnpublishVolumeRequest;
import csi.v1.NodeUnstageVolumeRequest;
import csi.v1.VolumeCapability;
import csi.v1.VolumeContentSource;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.Spawning;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.function.Consumer;

/** What has to be there before a call, and the calls themselves, as far as several scenarios need them. */
final class Situations {
    static final long SMALL = 64 * Claim.MIB;
    static final long LARGER = 96 * Claim.MIB;
    /** Every filesystem can be made in so much. */
    static final long ROOMY = 320 * Claim.MIB;

    static final boolean SHARING = true;
    static final boolean COPYING = false;
    static final String NOTE = "what the pod wrote\n";

    private Situations() {}

    static VolumeCapability ext4() {
        return CsiClient.mounted("ext4");
    }

    static VolumeCapability xfs() {
        return CsiClient.mounted("xfs");
    }

    static VolumeCapability btrfs() {
        return CsiClient.mounted("btrfs");
    }

    /** For several pods of one node: only this mode may be published a second time. */
    static VolumeCapability shared(VolumeCapability capability) {
        return capability.toBuilder()
                .setAccessMode(CsiClient.mode(VolumeCapability.AccessMode.Mode.SINGLE_NODE_MULTI_WRITER))
                .build();
    }

    static void staged(World world, VolumeCapability capability) {
        var claim = world.create("volume", SMALL, capability);
        claim.attach();
        claim.stage();
    }

    /** A volume with something in it that a pod wrote and goes on using. */
    static void mounted(World world, String name, VolumeCapability capability, long size) {
        write(world.create(name, size, capability).use(World.POD));
    }

    /** A raw volume with something on it. */
    static void raw(World world) {
        Path device = world.create("volume", SMALL, CsiClient.block()).use(World.POD);
        write(device, StandardOpenOption.WRITE);
    }

    static void write(Path directory) {
        write(directory.resolve("note"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    static void write(Path file, OpenOption... options) {
        try {
            Spawning.apart(() -> {
                try (var channel = FileChannel.open(file, options)) {
                    channel.force(channel.write(ByteBuffer.wrap(NOTE.getBytes(StandardCharsets.UTF_8))) > 0);
                    return true;
                }
            });
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Brings the volume to a pod and lets it write. What it finds there is part of what is observed. */
    static Consumer<World> inUse(String name) {
        return world -> {
            Path target = world.claim(name).use(World.POD);
            if (Files.isDirectory(target)) {
                write(target.resolve("another"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            }
        };
    }

    /** Makes a volume from the snapshot and brings it to a pod. */
    static Consumer<World> restored() {
        return world -> {
            world.create(fromSnapshot(world).toBuilder().setName("restored").build());
            world.claim("restored").use(World.POD);
        };
    }

    static CreateVolumeRequest fromSnapshot(World world) {
        return Claim.request("new", SMALL, world.claims().getFirst().capability(), Map.of()).toBuilder()
                .clearCapacityRange()
                .setVolumeContentSource(VolumeContentSource.newBuilder()
                        .setSnapshot(VolumeContentSource.SnapshotSource.newBuilder()
                                .setSnapshotId(world.snapshotId("snapshot"))))
                .build();
    }

    static CreateVolumeRequest fromVolume(World world) {
        return fromVolume(world, ext4(), "new");
    }

    static CreateVolumeRequest fromVolume(World world, VolumeCapability capability, String name) {
        return Claim.request(name, SMALL, capability, Map.of()).toBuilder()
                .clearCapacityRange()
                .setVolumeContentSource(VolumeContentSource.newBuilder()
                        .setVolume(VolumeContentSource.VolumeSource.newBuilder()
                                .setVolumeId(world.claim("source").id())))
                .build();
    }

    static Message expand(World world) {
        return expand(world, LARGER);
    }

    static Message expand(World world, long size) {
        return world.csi()
                .controller()
                .controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                        .setVolumeId(world.claim("volume").id())
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(size))
                        .build());
    }

    static Message expandOnNode(World world) {
        var claim = world.claim("volume");
        return world.csi()
                .node()
                .nodeExpandVolume(NodeExpandVolumeRequest.newBuilder()
                        .setVolumeId(claim.id())
                        .setVolumePath(claim.target(World.POD).toString())
                        .setStagingTargetPath(claim.staging().toString())
                        .setVolumeCapability(claim.capability())
                        .build());
    }

    static Message modify(World world, String parameter, String value) {
        return world.csi()
                .controller()
                .controllerModifyVolume(ControllerModifyVolumeRequest.newBuilder()
                        .setVolumeId(world.claim("volume").id())
                        .putModifiableParameters(parameter, value)
                        .build());
    }

    static Message stage(World world) {
        return world.csi().node().nodeStageVolume(world.claim("volume").stageRequest());
    }

    static Message unstage(World world) {
        var claim = world.claim("volume");
        return world.csi()
                .node()
                .nodeUnstageVolume(NodeUnstageVolumeRequest.newBuilder()
                        .setVolumeId(claim.id())
                        .setStagingTargetPath(claim.staging().toString())
                        .build());
    }

    static Message unpublish(World world) {
        var claim = world.claim("volume");
        return world.csi()
                .node()
                .nodeUnpublishVolume(NodeUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(claim.id())
                        .setTargetPath(claim.target(World.POD).toString())
                        .build());
    }

    static Message publishEphemeral(World world) {
        return world.csi().node().nodePublishVolume(world.ephemeral("csi-own", ext4(), "64Mi"));
    }
}
