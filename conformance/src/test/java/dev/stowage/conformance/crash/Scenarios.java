package dev.stowage.conformance.crash;

import com.google.protobuf.Message;
import csi.v1.CapacityRange;
import csi.v1.ControllerExpandVolumeRequest;
import csi.v1.ControllerGrpc;
import csi.v1.ControllerModifyVolumeRequest;
import csi.v1.ControllerUnpublishVolumeRequest;
import csi.v1.CreateVolumeRequest;
import csi.v1.DeleteSnapshotRequest;
import csi.v1.DeleteVolumeGroupSnapshotRequest;
import csi.v1.DeleteVolumeRequest;
import csi.v1.GroupControllerGrpc;
import csi.v1.IdentityGrpc;
import csi.v1.NodeExpandVolumeRequest;
import csi.v1.NodeGrpc;
import csi.v1.NodeUnpublishVolumeRequest;
import csi.v1.NodeUnstageVolumeRequest;
import csi.v1.SnapshotMetadataGrpc;
import csi.v1.VolumeCapability;
import csi.v1.VolumeContentSource;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.harness.Spawning;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Every call that changes something, in every situation in which it does something else. */
final class Scenarios {

    /** Calls that only look. Every other call of the interface must be in a scenario. */
    private static final Set<String> READ_ONLY = Set.of(
            "GetPluginInfo",
            "GetPluginCapabilities",
            "Probe",
            "ValidateVolumeCapabilities",
            "ListVolumes",
            "ControllerListVolumeHealth",
            "ControllerGetVolumeHealth",
            "GetCapacity",
            "ControllerGetCapabilities",
            "ListSnapshots",
            "GetSnapshot",
            "ControllerGetVolume",
            "GroupControllerGetCapabilities",
            "GetVolumeGroupSnapshot",
            "GetMetadataAllocated",
            "GetMetadataDelta",
            "NodeGetVolumeStats",
            "NodeGetVolumeHealth",
            "NodeGetStorageHealth",
            "NodeGetCapabilities",
            "NodeGetInfo");

    private static final long SMALL = 64 * Claim.MIB;
    private static final long LARGER = 96 * Claim.MIB;
    /** Every filesystem can be made in so much. */
    private static final long ROOMY = 320 * Claim.MIB;

    private static final boolean SHARING = true;
    private static final boolean COPYING = false;
    private static final String NOTE = "what the pod wrote\n";

    private Scenarios() {}

    /** The calls that may change something, by the interface's own description. */
    static Set<String> mutatingCalls() {
        var calls = new TreeSet<String>();
        Stream.of(
                        IdentityGrpc.getServiceDescriptor(),
                        ControllerGrpc.getServiceDescriptor(),
                        GroupControllerGrpc.getServiceDescriptor(),
                        SnapshotMetadataGrpc.getServiceDescriptor(),
                        NodeGrpc.getServiceDescriptor())
                .map(ServiceDescriptor::getMethods)
                .flatMap(methods -> methods.stream().map(MethodDescriptor::getBareMethodName))
                .filter(name -> !READ_ONLY.contains(name))
                .forEach(calls::add);
        return calls;
    }

    static List<Scenario> all() {
        return Stream.of(creation(), snapshots(), changes(), staging(), publishing())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Scenario> creation() {
        var blank = Claim.request("new", SMALL, ext4(), Map.of());
        var thick = Claim.request("new", SMALL, ext4(), Map.of("provisioning", "thick"));
        return List.of(
                new Scenario("CreateVolume", "blank and thin", COPYING, world -> {}, world -> world.create(blank)),
                new Scenario(
                        "CreateVolume",
                        "blank and thick",
                        COPYING,
                        world -> {},
                        world -> world.create(thick),
                        inUse("new")),
                new Scenario(
                        "CreateVolume",
                        "from a snapshot, sharing blocks",
                        SHARING,
                        world -> {
                            mounted(world, "source", ext4(), SMALL);
                            world.snapshot("snapshot", "source");
                        },
                        world -> world.create(fromSnapshot(world)),
                        inUse("new")),
                new Scenario(
                        "CreateVolume",
                        "from a snapshot, by copying, larger and thick",
                        COPYING,
                        world -> {
                            mounted(world, "source", ext4(), SMALL);
                            world.snapshot("snapshot", "source");
                        },
                        world -> world.create(fromSnapshot(world).toBuilder()
                                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(LARGER))
                                .putParameters("provisioning", "thick")
                                .build())),
                new Scenario(
                        "CreateVolume",
                        "from a mounted volume, sharing blocks",
                        SHARING,
                        world -> mounted(world, "source", ext4(), SMALL),
                        world -> world.create(fromVolume(world)),
                        inUse("new")),
                new Scenario(
                        "CreateVolume",
                        "from a volume, by copying",
                        COPYING,
                        world -> {
                            mounted(world, "source", ext4(), SMALL);
                            world.claim("source").release(World.POD);
                        },
                        world -> world.create(fromVolume(world)),
                        inUse("new")),
                new Scenario(
                        "DeleteVolume",
                        "once used",
                        COPYING,
                        world -> {
                            mounted(world, "doomed", ext4(), SMALL);
                            world.claim("doomed").release(World.POD);
                        },
                        world -> world.csi()
                                .controller()
                                .deleteVolume(DeleteVolumeRequest.newBuilder()
                                        .setVolumeId(world.claim("doomed").id())
                                        .build())));
    }

    private static List<Scenario> snapshots() {
        return List.of(
                new Scenario(
                        "CreateSnapshot",
                        "of an unused volume, by copying",
                        COPYING,
                        world -> {
                            mounted(world, "source", ext4(), SMALL);
                            world.claim("source").release(World.POD);
                        },
                        world -> world.snapshot("snapshot", "source"),
                        restored()),
                new Scenario(
                        "CreateSnapshot",
                        "of a mounted volume, by copying",
                        COPYING,
                        world -> mounted(world, "source", ext4(), SMALL),
                        world -> world.snapshot("snapshot", "source"),
                        restored()),
                new Scenario(
                        "CreateSnapshot",
                        "of a mounted volume, sharing blocks",
                        SHARING,
                        world -> mounted(world, "source", xfs(), ROOMY),
                        world -> world.snapshot("snapshot", "source"),
                        restored()),
                new Scenario(
                        "DeleteSnapshot",
                        "of a volume that is gone",
                        SHARING,
                        world -> {
                            world.create("source", SMALL, ext4());
                            world.snapshot("snapshot", "source");
                            world.claim("source").delete();
                        },
                        world -> world.csi()
                                .controller()
                                .deleteSnapshot(DeleteSnapshotRequest.newBuilder()
                                        .setSnapshotId(world.snapshotId("snapshot"))
                                        .build())),
                new Scenario(
                        "CreateVolumeGroupSnapshot",
                        "of two mounted volumes and an unused one",
                        SHARING,
                        world -> {
                            mounted(world, "first", ext4(), SMALL);
                            mounted(world, "second", xfs(), ROOMY);
                            world.create("third", SMALL, ext4());
                        },
                        world -> world.group("group", "first", "second", "third")),
                new Scenario(
                        "DeleteVolumeGroupSnapshot",
                        "of two volumes",
                        SHARING,
                        world -> {
                            world.create("first", SMALL, ext4());
                            world.create("second", SMALL, ext4());
                            world.group("group", "first", "second");
                        },
                        world -> {
                            var group = world.groupNamed("group").getGroupSnapshot();
                            var request = DeleteVolumeGroupSnapshotRequest.newBuilder()
                                    .setGroupSnapshotId(group.getGroupSnapshotId());
                            group.getSnapshotsList().forEach(member -> request.addSnapshotIds(member.getSnapshotId()));
                            return world.csi().groups().deleteVolumeGroupSnapshot(request.build());
                        }));
    }

    private static List<Scenario> changes() {
        return List.of(
                new Scenario(
                        "ControllerPublishVolume",
                        "for writing",
                        COPYING,
                        world -> world.create("volume", SMALL, ext4()),
                        world -> world.csi()
                                .controller()
                                .controllerPublishVolume(world.claim("volume").attachRequest())),
                new Scenario(
                        "ControllerUnpublishVolume",
                        "after use",
                        COPYING,
                        world -> {
                            mounted(world, "volume", ext4(), SMALL);
                            world.claim("volume").unpublish(World.POD);
                            world.claim("volume").unstage();
                        },
                        world -> world.csi()
                                .controller()
                                .controllerUnpublishVolume(ControllerUnpublishVolumeRequest.newBuilder()
                                        .setVolumeId(world.claim("volume").id())
                                        .setNodeId(RunningDriver.NODE)
                                        .build())),
                new Scenario(
                        "ControllerExpandVolume",
                        "thin and unused",
                        COPYING,
                        world -> world.create("volume", SMALL, ext4()),
                        Scenarios::expand),
                new Scenario(
                        "ControllerExpandVolume",
                        "thick and mounted",
                        SHARING,
                        world -> {
                            var claim = world.create("volume", SMALL, ext4(), Map.of("provisioning", "thick"));
                            write(claim.use(World.POD));
                        },
                        Scenarios::expand),
                new Scenario(
                        "ControllerModifyVolume",
                        "from thin to thick",
                        COPYING,
                        world -> world.create("volume", SMALL, ext4()),
                        world -> modify(world, "provisioning", "thick")),
                new Scenario(
                        "ControllerModifyVolume",
                        "from thin to thick, sharing blocks with a snapshot",
                        SHARING,
                        world -> {
                            mounted(world, "volume", ext4(), SMALL);
                            world.snapshot("snapshot", "volume");
                        },
                        world -> modify(world, "provisioning", "thick"),
                        restored()),
                new Scenario(
                        "ControllerModifyVolume",
                        "read-ahead while mounted",
                        COPYING,
                        world -> mounted(world, "volume", ext4(), SMALL),
                        world -> modify(world, "readAheadKiB", "512")));
    }

    private static List<Scenario> staging() {
        var formats = Stream.of(ext4(), xfs(), btrfs())
                .map(filesystem -> new Scenario(
                        "NodeStageVolume",
                        "first use, " + filesystem.getMount().getFsType(),
                        COPYING,
                        world -> world.create("volume", ROOMY, filesystem).attach(),
                        Scenarios::stage,
                        inUse("volume")));
        var others = Stream.of(
                new Scenario(
                        "NodeStageVolume",
                        "used before, for a group of users",
                        COPYING,
                        world -> {
                            mounted(world, "volume", xfs(), ROOMY);
                            world.claim("volume").unpublish(World.POD);
                            world.claim("volume").unstage();
                        },
                        world -> {
                            var request = world.claim("volume").stageRequest().toBuilder();
                            request.getVolumeCapabilityBuilder()
                                    .getMountBuilder()
                                    .setVolumeMountGroup("4321");
                            return world.csi().node().nodeStageVolume(request.build());
                        }),
                new Scenario(
                        "NodeStageVolume",
                        "a clone beside its source, btrfs",
                        SHARING,
                        world -> {
                            mounted(world, "source", btrfs(), ROOMY);
                            world.create(fromVolume(world, btrfs(), "volume"));
                            world.claim("volume").attach();
                        },
                        Scenarios::stage,
                        inUse("volume")),
                new Scenario(
                        "NodeStageVolume",
                        "grown while unused, xfs",
                        COPYING,
                        world -> {
                            mounted(world, "volume", xfs(), ROOMY);
                            world.claim("volume").unpublish(World.POD);
                            world.claim("volume").unstage();
                            expand(world, 2 * ROOMY);
                        },
                        Scenarios::stage,
                        inUse("volume")),
                new Scenario(
                        "NodeStageVolume",
                        "as a device",
                        COPYING,
                        world -> world.create("volume", SMALL, CsiClient.block(), Map.of("readAheadKiB", "256"))
                                .attach(),
                        Scenarios::stage,
                        inUse("volume")),
                new Scenario(
                        "NodeUnstageVolume",
                        "a filesystem",
                        COPYING,
                        world -> {
                            mounted(world, "volume", ext4(), SMALL);
                            world.claim("volume").unpublish(World.POD);
                        },
                        Scenarios::unstage,
                        inUse("volume")),
                new Scenario(
                        "NodeUnstageVolume",
                        "a device",
                        COPYING,
                        world -> {
                            raw(world);
                            world.claim("volume").unpublish(World.POD);
                        },
                        Scenarios::unstage,
                        inUse("volume")));
        return Stream.concat(formats, others).toList();
    }

    private static List<Scenario> publishing() {
        return List.of(
                new Scenario(
                        "NodePublishVolume",
                        "for writing",
                        COPYING,
                        world -> staged(world, ext4()),
                        world -> world.csi()
                                .node()
                                .nodePublishVolume(world.claim("volume").publishRequest(World.POD))),
                new Scenario(
                        "NodePublishVolume",
                        "for reading, beside a writer",
                        COPYING,
                        world -> mounted(world, "volume", shared(ext4()), SMALL),
                        world -> world.csi()
                                .node()
                                .nodePublishVolume(world.claim("volume").publishRequest(World.OTHER_POD).toBuilder()
                                        .setReadonly(true)
                                        .build())),
                new Scenario(
                        "NodePublishVolume",
                        "as a device",
                        COPYING,
                        world -> {
                            raw(world);
                            world.claim("volume").unpublish(World.POD);
                        },
                        world -> world.csi()
                                .node()
                                .nodePublishVolume(world.claim("volume").publishRequest(World.POD))),
                new Scenario(
                        "NodePublishVolume",
                        "as a device for reading",
                        COPYING,
                        world -> {
                            raw(world);
                            world.claim("volume").unpublish(World.POD);
                        },
                        world -> world.csi()
                                .node()
                                .nodePublishVolume(world.claim("volume").publishRequest(World.POD).toBuilder()
                                        .setReadonly(true)
                                        .build())),
                new Scenario(
                        "NodePublishVolume",
                        "a volume of the pod's own",
                        COPYING,
                        world -> {},
                        Scenarios::publishEphemeral),
                new Scenario(
                        "NodePublishVolume",
                        "a volume of the pod's own, at a target that is there",
                        COPYING,
                        world -> world.giveTarget(world.ephemeralTarget("csi-own")),
                        Scenarios::publishEphemeral),
                new Scenario(
                        "NodeUnpublishVolume",
                        "a filesystem",
                        COPYING,
                        world -> mounted(world, "volume", ext4(), SMALL),
                        Scenarios::unpublish),
                new Scenario("NodeUnpublishVolume", "a device", COPYING, Scenarios::raw, Scenarios::unpublish),
                new Scenario(
                        "NodeUnpublishVolume",
                        "a volume of the pod's own",
                        COPYING,
                        Scenarios::publishEphemeral,
                        world -> world.csi().node().nodeUnpublishVolume(world.endOfEphemeral("csi-own"))),
                new Scenario(
                        "NodeExpandVolume",
                        "while mounted, xfs",
                        COPYING,
                        world -> {
                            mounted(world, "volume", xfs(), ROOMY);
                            expand(world, 2 * ROOMY);
                        },
                        Scenarios::expandOnNode,
                        world -> write(world.claim("volume").target(World.POD))),
                new Scenario(
                        "NodeExpandVolume",
                        "a device",
                        COPYING,
                        world -> {
                            raw(world);
                            expand(world, LARGER);
                        },
                        Scenarios::expandOnNode));
    }

    private static VolumeCapability ext4() {
        return CsiClient.mounted("ext4");
    }

    private static VolumeCapability xfs() {
        return CsiClient.mounted("xfs");
    }

    private static VolumeCapability btrfs() {
        return CsiClient.mounted("btrfs");
    }

    /** For several pods of one node: only this mode may be published a second time. */
    private static VolumeCapability shared(VolumeCapability capability) {
        return capability.toBuilder()
                .setAccessMode(CsiClient.mode(VolumeCapability.AccessMode.Mode.SINGLE_NODE_MULTI_WRITER))
                .build();
    }

    private static void staged(World world, VolumeCapability capability) {
        var claim = world.create("volume", SMALL, capability);
        claim.attach();
        claim.stage();
    }

    /** A volume with something in it that a pod wrote and goes on using. */
    private static void mounted(World world, String name, VolumeCapability capability, long size) {
        write(world.create(name, size, capability).use(World.POD));
    }

    /** A raw volume with something on it. */
    private static void raw(World world) {
        Path device = world.create("volume", SMALL, CsiClient.block()).use(World.POD);
        write(device, StandardOpenOption.WRITE);
    }

    private static void write(Path directory) {
        write(directory.resolve("note"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    private static void write(Path file, OpenOption... options) {
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
    private static Consumer<World> inUse(String name) {
        return world -> {
            Path target = world.claim(name).use(World.POD);
            if (Files.isDirectory(target)) {
                write(target.resolve("another"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            }
        };
    }

    /** Makes a volume from the snapshot and brings it to a pod. */
    private static Consumer<World> restored() {
        return world -> {
            world.create(fromSnapshot(world).toBuilder().setName("restored").build());
            world.claim("restored").use(World.POD);
        };
    }

    private static CreateVolumeRequest fromSnapshot(World world) {
        return Claim.request("new", SMALL, world.claims().getFirst().capability(), Map.of()).toBuilder()
                .clearCapacityRange()
                .setVolumeContentSource(VolumeContentSource.newBuilder()
                        .setSnapshot(VolumeContentSource.SnapshotSource.newBuilder()
                                .setSnapshotId(world.snapshotId("snapshot"))))
                .build();
    }

    private static CreateVolumeRequest fromVolume(World world) {
        return fromVolume(world, ext4(), "new");
    }

    private static CreateVolumeRequest fromVolume(World world, VolumeCapability capability, String name) {
        return Claim.request(name, SMALL, capability, Map.of()).toBuilder()
                .clearCapacityRange()
                .setVolumeContentSource(VolumeContentSource.newBuilder()
                        .setVolume(VolumeContentSource.VolumeSource.newBuilder()
                                .setVolumeId(world.claim("source").id())))
                .build();
    }

    private static Message expand(World world) {
        return expand(world, LARGER);
    }

    private static Message expand(World world, long size) {
        return world.csi()
                .controller()
                .controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                        .setVolumeId(world.claim("volume").id())
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(size))
                        .build());
    }

    private static Message expandOnNode(World world) {
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

    private static Message modify(World world, String parameter, String value) {
        return world.csi()
                .controller()
                .controllerModifyVolume(ControllerModifyVolumeRequest.newBuilder()
                        .setVolumeId(world.claim("volume").id())
                        .putModifiableParameters(parameter, value)
                        .build());
    }

    private static Message stage(World world) {
        return world.csi().node().nodeStageVolume(world.claim("volume").stageRequest());
    }

    private static Message unstage(World world) {
        var claim = world.claim("volume");
        return world.csi()
                .node()
                .nodeUnstageVolume(NodeUnstageVolumeRequest.newBuilder()
                        .setVolumeId(claim.id())
                        .setStagingTargetPath(claim.staging().toString())
                        .build());
    }

    private static Message unpublish(World world) {
        var claim = world.claim("volume");
        return world.csi()
                .node()
                .nodeUnpublishVolume(NodeUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(claim.id())
                        .setTargetPath(claim.target(World.POD).toString())
                        .build());
    }

    private static Message publishEphemeral(World world) {
        return world.csi().node().nodePublishVolume(world.ephemeral("csi-own", ext4(), "64Mi"));
    }
}
