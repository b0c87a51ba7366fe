package dev.stowage.conformance.crash;

import static dev.stowage.conformance.crash.Situations.*;

import csi.v1.CapacityRange;
import csi.v1.ControllerUnpublishVolumeRequest;
import csi.v1.DeleteSnapshotRequest;
import csi.v1.DeleteVolumeGroupSnapshotRequest;
import csi.v1.DeleteVolumeRequest;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.RunningDriver;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The calls to the controller. */
final class ControllerScenarios {

    private ControllerScenarios() {}

    static List<Scenario> all() {
        return Stream.of(creation(), snapshots(), changes())
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
                        Situations::expand),
                new Scenario(
                        "ControllerExpandVolume",
                        "thick and mounted",
                        SHARING,
                        world -> {
                            var claim = world.create("volume", SMALL, ext4(), Map.of("provisioning", "thick"));
                            write(claim.use(World.POD));
                        },
                        Situations::expand),
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
}
