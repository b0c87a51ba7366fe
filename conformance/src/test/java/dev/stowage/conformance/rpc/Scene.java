package dev.stowage.conformance.rpc;

import com.google.protobuf.Message;
import csi.v1.CapacityRange;
import csi.v1.ControllerExpandVolumeRequest;
import csi.v1.ControllerGetCapabilitiesRequest;
import csi.v1.ControllerGetVolumeHealthRequest;
import csi.v1.ControllerGetVolumeRequest;
import csi.v1.ControllerListVolumeHealthRequest;
import csi.v1.ControllerModifyVolumeRequest;
import csi.v1.ControllerUnpublishVolumeRequest;
import csi.v1.CreateSnapshotRequest;
import csi.v1.CreateVolumeGroupSnapshotRequest;
import csi.v1.DeleteSnapshotRequest;
import csi.v1.DeleteVolumeGroupSnapshotRequest;
import csi.v1.DeleteVolumeRequest;
import csi.v1.GetCapacityRequest;
import csi.v1.GetMetadataAllocatedRequest;
import csi.v1.GetMetadataDeltaRequest;
import csi.v1.GetPluginCapabilitiesRequest;
import csi.v1.GetPluginInfoRequest;
import csi.v1.GetSnapshotRequest;
import csi.v1.GetVolumeGroupSnapshotRequest;
import csi.v1.GroupControllerGetCapabilitiesRequest;
import csi.v1.ListSnapshotsRequest;
import csi.v1.ListVolumesRequest;
import csi.v1.NodeExpandVolumeRequest;
import csi.v1.NodeGetCapabilitiesRequest;
import csi.v1.NodeGetInfoRequest;
import csi.v1.NodeGetStorageHealthRequest;
import csi.v1.NodeGetVolumeHealthRequest;
import csi.v1.NodeGetVolumeStatsRequest;
import csi.v1.NodeUnpublishVolumeRequest;
import csi.v1.NodeUnstageVolumeRequest;
import csi.v1.ProbeRequest;
import csi.v1.Snapshot;
import csi.v1.Topology;
import csi.v1.TopologyRequirement;
import csi.v1.ValidateVolumeCapabilitiesRequest;
import csi.v1.VolumeContentSource;
import csi.v1.VolumeGroupSnapshot;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.harness.Workspace;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A driver in the middle of its work: volumes in use and idle, snapshots, a group. For each call there is a request that is right here,
 * with every field filled that can be, and that can be sent any number of times.
 */
public final class Scene implements AutoCloseable {

    /** Large enough for xfs, which can grow while it is mounted with no more than the right to mount. */
    private static final long SIZE = 320 * Claim.MIB;

    private static final String POD = "pod";

    private final CsiClient csi;
    private final Claim used;
    private final Claim idle;
    private final Snapshot first;
    private final Snapshot second;
    private final VolumeGroupSnapshot group;

    private Scene(CsiClient csi, Claim used, Claim idle, Snapshot first, Snapshot second, VolumeGroupSnapshot group) {
        this.csi = csi;
        this.used = used;
        this.idle = idle;
        this.first = first;
        this.second = second;
        this.group = group;
    }

    public static Scene set(CsiClient csi, Workspace workspace) {
        var used = Claim.create(csi, workspace, "used", SIZE, CsiClient.mounted("xfs"));
        var idle = Claim.create(csi, workspace, "idle", SIZE, CsiClient.mounted("xfs"));
        used.use(POD);
        // Before anything is compared, because what can be modified shows in the context of an attachment.
        csi.controller().controllerModifyVolume(modification(used));
        return new Scene(
                csi, used, idle, used.snapshot("first"), used.snapshot("second"), group(csi, List.of(used, idle)));
    }

    private static VolumeGroupSnapshot group(CsiClient csi, List<Claim> members) {
        return csi.groups()
                .createVolumeGroupSnapshot(CreateVolumeGroupSnapshotRequest.newBuilder()
                        .setName("group")
                        .addAllSourceVolumeIds(members.stream().map(Claim::id).toList())
                        .build())
                .getGroupSnapshot();
    }

    public Claim used() {
        return used;
    }

    public Claim idle() {
        return idle;
    }

    public Snapshot first() {
        return first;
    }

    public Snapshot second() {
        return second;
    }

    public VolumeGroupSnapshot group() {
        return group;
    }

    private static Topology here() {
        return Topology.newBuilder()
                .putSegments("local.stowage.dev/node", RunningDriver.NODE)
                .build();
    }

    private static TopologyRequirement requirement() {
        return TopologyRequirement.newBuilder()
                .addRequisite(here())
                .addPreferred(here())
                .build();
    }

    /** One request for each call, in the order of the interface. */
    public List<Message> requests() {
        return Stream.of(identity(), controller(), snapshots(), groups(), metadata(), node())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Message> identity() {
        return List.of(
                GetPluginInfoRequest.getDefaultInstance(),
                GetPluginCapabilitiesRequest.getDefaultInstance(),
                ProbeRequest.getDefaultInstance());
    }

    private List<Message> controller() {
        return List.of(
                Claim.request("idle", SIZE, idle.capability(), Map.of()),
                DeleteVolumeRequest.newBuilder().setVolumeId("vol-gone").build(),
                used.attachRequest(),
                ControllerUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(idle.id())
                        .setNodeId(RunningDriver.NODE)
                        .build(),
                ValidateVolumeCapabilitiesRequest.newBuilder()
                        .setVolumeId(used.id())
                        .putAllVolumeContext(used.volume().getVolumeContextMap())
                        .addVolumeCapabilities(used.capability())
                        .putParameters("provisioning", "thin")
                        .putModifiableParameters("readAheadKiB", "128")
                        .build(),
                ListVolumesRequest.newBuilder().setMaxEntries(10).build(),
                ControllerListVolumeHealthRequest.newBuilder().setMaxEntries(10).build(),
                ControllerGetVolumeHealthRequest.newBuilder()
                        .setVolumeId(used.id())
                        .build(),
                GetCapacityRequest.newBuilder()
                        .addVolumeCapabilities(used.capability())
                        .putParameters("provisioning", "thin")
                        .setAccessibleTopology(here())
                        .build(),
                ControllerGetCapabilitiesRequest.getDefaultInstance(),
                ControllerExpandVolumeRequest.newBuilder()
                        .setVolumeId(used.id())
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(SIZE))
                        .setVolumeCapability(used.capability())
                        .build(),
                ControllerGetVolumeRequest.newBuilder().setVolumeId(used.id()).build(),
                modification(used));
    }

    private static ControllerModifyVolumeRequest modification(Claim claim) {
        return ControllerModifyVolumeRequest.newBuilder()
                .setVolumeId(claim.id())
                .putModifiableParameters("readAheadKiB", "256")
                .build();
    }

    private List<Message> snapshots() {
        return List.of(
                CreateSnapshotRequest.newBuilder()
                        .setName("first")
                        .setSourceVolumeId(used.id())
                        .setAccessibilityRequirements(requirement())
                        .build(),
                DeleteSnapshotRequest.newBuilder().setSnapshotId("snap-gone").build(),
                ListSnapshotsRequest.newBuilder()
                        .setMaxEntries(10)
                        .setSourceVolumeId(used.id())
                        .build(),
                GetSnapshotRequest.newBuilder()
                        .setSnapshotId(first.getSnapshotId())
                        .build());
    }

    private List<Message> groups() {
        var members =
                group.getSnapshotsList().stream().map(Snapshot::getSnapshotId).toList();
        return List.of(
                GroupControllerGetCapabilitiesRequest.getDefaultInstance(),
                CreateVolumeGroupSnapshotRequest.newBuilder()
                        .setName("group")
                        .addSourceVolumeIds(used.id())
                        .addSourceVolumeIds(idle.id())
                        .build(),
                DeleteVolumeGroupSnapshotRequest.newBuilder()
                        .setGroupSnapshotId("group-gone")
                        .build(),
                GetVolumeGroupSnapshotRequest.newBuilder()
                        .setGroupSnapshotId(group.getGroupSnapshotId())
                        .addAllSnapshotIds(members)
                        .build());
    }

    private List<Message> metadata() {
        return List.of(
                GetMetadataAllocatedRequest.newBuilder()
                        .setSnapshotId(first.getSnapshotId())
                        .build(),
                GetMetadataDeltaRequest.newBuilder()
                        .setBaseSnapshotId(first.getSnapshotId())
                        .setTargetSnapshotId(second.getSnapshotId())
                        .build());
    }

    private List<Message> node() {
        String staging = used.staging().toString();
        String target = used.target(POD).toString();
        return List.of(
                used.stageRequest(),
                NodeUnstageVolumeRequest.newBuilder()
                        .setVolumeId(idle.id())
                        .setStagingTargetPath(idle.staging().toString())
                        .build(),
                used.publishRequest(POD),
                NodeUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(idle.id())
                        .setTargetPath(idle.target(POD).toString())
                        .build(),
                NodeGetVolumeStatsRequest.newBuilder()
                        .setVolumeId(used.id())
                        .setVolumePath(target)
                        .setStagingTargetPath(staging)
                        .build(),
                NodeGetVolumeHealthRequest.newBuilder()
                        .setVolumeId(used.id())
                        .setVolumePublishPath(target)
                        .setStagingTargetPath(staging)
                        .build(),
                NodeGetStorageHealthRequest.getDefaultInstance(),
                NodeExpandVolumeRequest.newBuilder()
                        .setVolumeId(used.id())
                        .setVolumePath(target)
                        .setStagingTargetPath(staging)
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(SIZE))
                        .setVolumeCapability(used.capability())
                        .build(),
                NodeGetCapabilitiesRequest.getDefaultInstance(),
                NodeGetInfoRequest.getDefaultInstance());
    }

    /** Further shapes of requests, for the sake of the fields that only they have. */
    public List<Message> variants() {
        return List.of(
                Claim.request("copy", SIZE, idle.capability(), Map.of("provisioning", "thin")).toBuilder()
                        .putModifiableParameters("readAheadKiB", "128")
                        .setVolumeContentSource(VolumeContentSource.newBuilder()
                                .setSnapshot(VolumeContentSource.SnapshotSource.newBuilder()
                                        .setSnapshotId(first.getSnapshotId())))
                        .setAccessibilityRequirements(requirement())
                        .build(),
                Claim.request("clone", SIZE, idle.capability(), Map.of("mountOptions", "noatime")).toBuilder()
                        .setVolumeContentSource(VolumeContentSource.newBuilder()
                                .setVolume(VolumeContentSource.VolumeSource.newBuilder()
                                        .setVolumeId(idle.id())))
                        .build());
    }

    /** Takes everything away through the interface, whatever a test added. */
    @Override
    public void close() {
        used.release(POD);
        clear(csi);
    }

    public static void clear(CsiClient csi) {
        csi.controller().listSnapshots(ListSnapshotsRequest.getDefaultInstance()).getEntriesList().stream()
                .map(entry -> entry.getSnapshot().getGroupSnapshotId())
                .filter(id -> !id.isEmpty())
                .distinct()
                .forEach(id -> csi.groups()
                        .deleteVolumeGroupSnapshot(DeleteVolumeGroupSnapshotRequest.newBuilder()
                                .setGroupSnapshotId(id)
                                .addAllSnapshotIds(membersOf(csi, id))
                                .build()));
        csi.controller()
                .listSnapshots(ListSnapshotsRequest.getDefaultInstance())
                .getEntriesList()
                .forEach(entry -> csi.controller()
                        .deleteSnapshot(DeleteSnapshotRequest.newBuilder()
                                .setSnapshotId(entry.getSnapshot().getSnapshotId())
                                .build()));
        csi.controller()
                .listVolumes(ListVolumesRequest.getDefaultInstance())
                .getEntriesList()
                .forEach(entry -> csi.controller()
                        .deleteVolume(DeleteVolumeRequest.newBuilder()
                                .setVolumeId(entry.getVolume().getVolumeId())
                                .build()));
    }

    private static List<String> membersOf(CsiClient csi, String group) {
        return csi.controller().listSnapshots(ListSnapshotsRequest.getDefaultInstance()).getEntriesList().stream()
                .map(entry -> entry.getSnapshot())
                .filter(snapshot -> snapshot.getGroupSnapshotId().equals(group))
                .map(Snapshot::getSnapshotId)
                .toList();
    }
}
