package dev.stowage.conformance.crash;

import csi.v1.CreateSnapshotRequest;
import csi.v1.CreateSnapshotResponse;
import csi.v1.CreateVolumeGroupSnapshotRequest;
import csi.v1.CreateVolumeGroupSnapshotResponse;
import csi.v1.CreateVolumeRequest;
import csi.v1.CreateVolumeResponse;
import csi.v1.DeleteSnapshotRequest;
import csi.v1.DeleteVolumeGroupSnapshotRequest;
import csi.v1.DeleteVolumeRequest;
import csi.v1.GetCapacityRequest;
import csi.v1.ListSnapshotsRequest;
import csi.v1.ListVolumesRequest;
import csi.v1.NodePublishVolumeRequest;
import csi.v1.NodeUnpublishVolumeRequest;
import csi.v1.Snapshot;
import csi.v1.VolumeCapability;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.harness.Workspace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A pool, the driver that serves it, and what an orchestrator knows of the things in it. It outlives any number of drivers. */
final class World implements AutoCloseable {

    static final String POD = "pod";
    static final String OTHER_POD = "other-pod";
    private static final String EPHEMERAL_POD = "short-lived";

    private final Workspace workspace = Workspace.create();
    private final boolean sharesBlocks;
    private final Path plan = workspace.root().resolve("crash-plan");
    private final Path effects = workspace.root().resolve("effects");
    private final Map<String, Claim> claims = new LinkedHashMap<>();
    private final Map<String, String> snapshots = new LinkedHashMap<>();
    private final Map<String, CreateVolumeGroupSnapshotResponse> groups = new LinkedHashMap<>();
    private final Set<String> ephemerals = new TreeSet<>();
    private final Set<Path> givenTargets = new TreeSet<>();
    private @Nullable RunningDriver driver;
    private long logSeen;

    /** @param sharesBlocks whether the pool is one whose files can share blocks */
    World(boolean sharesBlocks) {
        this.sharesBlocks = sharesBlocks;
    }

    Workspace workspace() {
        return workspace;
    }

    RunningDriver.Options options() {
        var options = RunningDriver.in(workspace)
                .environment("STOWAGE_CRASH_PLAN", plan.toString())
                .environment("STOWAGE_EFFECTS_LOG", effects.toString());
        return sharesBlocks ? options.sharingBlocks("512Mi") : options;
    }

    /** Where the pool's own files are. */
    Path pool() {
        Path pool = workspace.root().resolve("pool");
        return sharesBlocks ? pool.resolve("pool") : pool;
    }

    void start() {
        driver = options().start();
    }

    void stop() {
        running().stop();
    }

    RunningDriver running() {
        var now = driver;
        if (now == null) {
            throw new IllegalStateException("the driver was not started");
        }
        return now;
    }

    CsiClient csi() {
        return running().csi();
    }

    /** Tells the running driver to die at this point of the next such call. */
    void arm(String rpc, int after) {
        try {
            Files.writeString(plan, rpc + ":" + after);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    void disarm() {
        try {
            Files.deleteIfExists(plan);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The effects since this was last asked, each as its call, its kind and its object. */
    List<String> takeEffects() {
        try {
            if (!Files.exists(effects)) {
                return List.of();
            }
            var lines = Files.readAllLines(effects);
            Files.delete(effects);
            return lines;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** What the driver has logged since this was last asked. */
    String takeLog() {
        String log = running().log();
        String fresh = log.substring((int) logSeen);
        logSeen = log.length();
        return fresh;
    }

    Claim claim(String name) {
        var claim = claims.get(name);
        if (claim == null) {
            throw new IllegalStateException("no volume is known as " + name);
        }
        return claim.through(csi());
    }

    List<Claim> claims() {
        return claims.keySet().stream().map(this::claim).toList();
    }

    CreateVolumeResponse create(CreateVolumeRequest request) {
        var response = csi().controller().createVolume(request);
        claims.put(
                request.getName(), new Claim(csi(), workspace, response.getVolume(), request.getVolumeCapabilities(0)));
        return response;
    }

    Claim create(String name, long size, VolumeCapability capability, Map<String, String> parameters) {
        create(Claim.request(name, size, capability, parameters));
        return claim(name);
    }

    Claim create(String name, long size, VolumeCapability capability) {
        return create(name, size, capability, Map.of());
    }

    CreateSnapshotResponse snapshot(String name, String volume) {
        var response = csi().controller()
                .createSnapshot(CreateSnapshotRequest.newBuilder()
                        .setName(name)
                        .setSourceVolumeId(claim(volume).id())
                        .build());
        snapshots.put(name, response.getSnapshot().getSnapshotId());
        return response;
    }

    String snapshotId(String name) {
        var id = snapshots.get(name);
        if (id == null) {
            throw new IllegalStateException("no snapshot is known as " + name);
        }
        return id;
    }

    CreateVolumeGroupSnapshotResponse group(String name, String... volumes) {
        var request = CreateVolumeGroupSnapshotRequest.newBuilder().setName(name);
        for (String volume : volumes) {
            request.addSourceVolumeIds(claim(volume).id());
        }
        var response = csi().groups().createVolumeGroupSnapshot(request.build());
        groups.put(name, response);
        return response;
    }

    CreateVolumeGroupSnapshotResponse groupNamed(String name) {
        var group = groups.get(name);
        if (group == null) {
            throw new IllegalStateException("no group snapshot is known as " + name);
        }
        return group;
    }

    /** How a pod asks for a volume of its own. */
    NodePublishVolumeRequest ephemeral(String id, VolumeCapability capability, String size) {
        ephemerals.add(id);
        return NodePublishVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setTargetPath(ephemeralTarget(id).toString())
                .setVolumeCapability(capability)
                .putVolumeContext("csi.storage.k8s.io/ephemeral", "true")
                .putVolumeContext("size", size)
                .build();
    }

    /** Makes the target that the driver would make otherwise; it is not the driver's to remove then. */
    void giveTarget(Path target) {
        try {
            givenTargets.add(Files.createDirectory(target));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    Path ephemeralTarget(String id) {
        return workspace.directory("pods/" + EPHEMERAL_POD).resolve(id);
    }

    NodeUnpublishVolumeRequest endOfEphemeral(String id) {
        return NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setTargetPath(ephemeralTarget(id).toString())
                .build();
    }

    /** Every id that the orchestrator knows, with the name by which a test calls it. */
    Map<String, String> names() {
        var names = new HashMap<String, String>();
        claims.forEach((name, claim) -> names.put(claim.id(), name));
        snapshots.forEach((name, id) -> names.put(id, name));
        groups.forEach((name, group) -> {
            names.put(group.getGroupSnapshot().getGroupSnapshotId(), name);
            for (Snapshot member : group.getGroupSnapshot().getSnapshotsList()) {
                String source = names.getOrDefault(member.getSourceVolumeId(), "unknown");
                names.put(member.getSnapshotId(), name + "-of-" + source);
            }
        });
        ephemerals.forEach(id -> names.put(id, id));
        return names;
    }

    List<String> listedVolumes() {
        return csi().controller().listVolumes(ListVolumesRequest.getDefaultInstance()).getEntriesList().stream()
                .map(entry -> entry.getVolume().getVolumeId())
                .toList();
    }

    List<Snapshot> listedSnapshots() {
        return csi().controller().listSnapshots(ListSnapshotsRequest.getDefaultInstance()).getEntriesList().stream()
                .map(entry -> entry.getSnapshot())
                .toList();
    }

    /** What is still promised to nobody. It does not depend on what others do to the filesystem below. */
    long capacity() {
        return csi().controller()
                .getCapacity(GetCapacityRequest.getDefaultInstance())
                .getAvailableCapacity();
    }

    /**
     * Ends the life of everything, as an orchestrator would that is not sure how far it had come: each call is made whether or not it
     * is needed. What the driver lists without the orchestrator having learnt of it goes as well.
     */
    void endEverything() {
        for (String id : ephemerals) {
            csi().node().nodeUnpublishVolume(endOfEphemeral(id));
        }
        for (Claim claim : claims()) {
            claim.unpublish(POD);
            claim.unpublish(OTHER_POD);
            claim.unstage();
            claim.detach();
        }
        listedSnapshots().stream()
                .filter(snapshot -> !snapshot.getGroupSnapshotId().isEmpty())
                .collect(Collectors.groupingBy(Snapshot::getGroupSnapshotId))
                .forEach(this::deleteGroup);
        groups.values()
                .forEach(group -> deleteGroup(
                        group.getGroupSnapshot().getGroupSnapshotId(),
                        group.getGroupSnapshot().getSnapshotsList()));
        var doomed = new TreeSet<>(snapshots.values());
        listedSnapshots().forEach(snapshot -> doomed.add(snapshot.getSnapshotId()));
        for (String id : doomed) {
            csi().controller()
                    .deleteSnapshot(
                            DeleteSnapshotRequest.newBuilder().setSnapshotId(id).build());
        }
        var volumes = new ArrayList<>(listedVolumes());
        claims.values().forEach(claim -> volumes.add(claim.id()));
        for (String id : volumes) {
            csi().controller()
                    .deleteVolume(
                            DeleteVolumeRequest.newBuilder().setVolumeId(id).build());
        }
        takeTargetsBack();
        claims.clear();
        snapshots.clear();
        groups.clear();
        ephemerals.clear();
    }

    private void takeTargetsBack() {
        try {
            for (Path target : givenTargets) {
                Files.delete(target);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        givenTargets.clear();
    }

    private void deleteGroup(String id, List<Snapshot> members) {
        csi().groups()
                .deleteVolumeGroupSnapshot(DeleteVolumeGroupSnapshotRequest.newBuilder()
                        .setGroupSnapshotId(id)
                        .addAllSnapshotIds(
                                members.stream().map(Snapshot::getSnapshotId).toList())
                        .build());
    }

    @Override
    public void close() {
        disarm();
        if (driver != null) {
            driver.close();
        }
        workspace.close();
    }
}
