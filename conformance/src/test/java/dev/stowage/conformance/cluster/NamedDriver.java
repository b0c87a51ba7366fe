package dev.stowage.conformance.cluster;

import csi.v1.CreateVolumeRequest;
import csi.v1.GetCapacityRequest;
import csi.v1.ListVolumesResponse;
import csi.v1.Topology;
import csi.v1.TopologyRequirement;
import csi.v1.Volume;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Workspace;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A driver of some name in a cluster that others share: its controller, and its pools on nodes. */
final class NamedDriver implements AutoCloseable {

    private static final String CONTROLLER = "controller";

    private final Workspace workspace;
    private final ControlPlane plane;
    private final String name;
    private final Map<String, Member> members = new LinkedHashMap<>();

    NamedDriver(Workspace workspace, ControlPlane plane, String name) {
        this.workspace = workspace;
        this.plane = plane;
        this.name = name;
    }

    String name() {
        return name;
    }

    /** The directory of its pool on a node. */
    Path pool(String node) {
        return workspace.root().resolve(name + "-pool-" + node);
    }

    NamedDriver withNode(String node) {
        return withNode(node, pool(node));
    }

    NamedDriver withNode(String node, Path pool) {
        return launch(node, List.of("--role", "node", "--node-id", node, "--pool", pool.toString()));
    }

    /** Starts the controller, and waits until it counts on the nodes that were started before. */
    NamedDriver withController() {
        var nodes = List.copyOf(members.keySet());
        launch(CONTROLLER, List.of("--role", "controller"));
        nodes.forEach(this::awaitAnswering);
        return this;
    }

    private NamedDriver launch(String member, List<String> arguments) {
        var all = new ArrayList<>(List.of("--pools", "cluster", "--driver-name", name, "--node-silence-limit", "6"));
        all.addAll(arguments);
        members.put(member, Member.launch(workspace, plane, name + "-" + member, all));
        return this;
    }

    void awaitAnswering(String node) {
        LocalCluster.await("%s on node %s answers".formatted(name, node), () -> capacity(node) > 0);
    }

    private long capacity(String node) {
        try {
            return csi().controller()
                    .getCapacity(GetCapacityRequest.newBuilder()
                            .setAccessibleTopology(place(node))
                            .build())
                    .getAvailableCapacity();
        } catch (StatusRuntimeException notYet) {
            return 0;
        }
    }

    CsiClient csi() {
        var controller = members.get(CONTROLLER);
        if (controller == null) {
            throw new IllegalStateException("the controller of " + name + " is not running");
        }
        return controller.csi();
    }

    private Topology place(String node) {
        return Topology.newBuilder().putSegments(name + "/node", node).build();
    }

    CreateVolumeRequest.Builder request(String volume, String node) {
        return Volumes.request(volume, 32 * Volumes.MIB)
                .setAccessibilityRequirements(TopologyRequirement.newBuilder().addRequisite(place(node)));
    }

    Volume create(String volume, String node) {
        return Volumes.create(csi(), request(volume, node));
    }

    void delete(Volume volume) {
        Volumes.delete(csi(), volume.getVolumeId());
    }

    /** The ids of its volumes. */
    List<String> volumes() {
        return Volumes.list(csi()).stream()
                .map(ListVolumesResponse.Entry::getVolume)
                .map(Volume::getVolumeId)
                .toList();
    }

    /** The ids of the volumes that are really in its pool on a node. */
    List<String> files(String node) {
        try (var entries = Files.list(pool(node).resolve("volumes"))) {
            return entries.map(file -> file.getFileName().toString()).toList();
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    public void close() {
        members.values().stream().filter(member -> member.process().isAlive()).forEach(Member::stop);
        members.clear();
    }
}
