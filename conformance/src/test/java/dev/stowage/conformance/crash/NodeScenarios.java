package dev.stowage.conformance.crash;

import static dev.stowage.conformance.crash.Situations.*;

import dev.stowage.cli.client.CsiClient;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The calls to the node. */
final class NodeScenarios {

    private NodeScenarios() {}

    static List<Scenario> all() {
        return Stream.of(staging(), publishing()).flatMap(List::stream).toList();
    }

    private static List<Scenario> staging() {
        var formats = Stream.of(ext4(), xfs(), btrfs())
                .map(filesystem -> new Scenario(
                        "NodeStageVolume",
                        "first use, " + filesystem.getMount().getFsType(),
                        COPYING,
                        world -> world.create("volume", ROOMY, filesystem).attach(),
                        Situations::stage,
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
                        Situations::stage,
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
                        Situations::stage,
                        inUse("volume")),
                new Scenario(
                        "NodeStageVolume",
                        "as a device",
                        COPYING,
                        world -> world.create("volume", SMALL, CsiClient.block(), Map.of("readAheadKiB", "256"))
                                .attach(),
                        Situations::stage,
                        inUse("volume")),
                new Scenario(
                        "NodeUnstageVolume",
                        "a filesystem",
                        COPYING,
                        world -> {
                            mounted(world, "volume", ext4(), SMALL);
                            world.claim("volume").unpublish(World.POD);
                        },
                        Situations::unstage,
                        inUse("volume")),
                new Scenario(
                        "NodeUnstageVolume",
                        "a device",
                        COPYING,
                        world -> {
                            raw(world);
                            world.claim("volume").unpublish(World.POD);
                        },
                        Situations::unstage,
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
                        Situations::publishEphemeral),
                new Scenario(
                        "NodePublishVolume",
                        "a volume of the pod's own, at a target that is there",
                        COPYING,
                        world -> world.giveTarget(world.ephemeralTarget("csi-own")),
                        Situations::publishEphemeral),
                new Scenario(
                        "NodeUnpublishVolume",
                        "a filesystem",
                        COPYING,
                        world -> mounted(world, "volume", ext4(), SMALL),
                        Situations::unpublish),
                new Scenario("NodeUnpublishVolume", "a device", COPYING, Situations::raw, Situations::unpublish),
                new Scenario(
                        "NodeUnpublishVolume",
                        "a volume of the pod's own",
                        COPYING,
                        Situations::publishEphemeral,
                        world -> world.csi().node().nodeUnpublishVolume(world.endOfEphemeral("csi-own"))),
                new Scenario(
                        "NodeExpandVolume",
                        "while mounted, xfs",
                        COPYING,
                        world -> {
                            mounted(world, "volume", xfs(), ROOMY);
                            expand(world, 2 * ROOMY);
                        },
                        Situations::expandOnNode,
                        world -> write(world.claim("volume").target(World.POD))),
                new Scenario(
                        "NodeExpandVolume",
                        "a device",
                        COPYING,
                        world -> {
                            raw(world);
                            expand(world, LARGER);
                        },
                        Situations::expandOnNode));
    }
}
