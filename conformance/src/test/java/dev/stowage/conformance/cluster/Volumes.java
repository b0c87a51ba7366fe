package dev.stowage.conformance.cluster;

import csi.v1.CapacityRange;
import csi.v1.ControllerPublishVolumeRequest;
import csi.v1.ControllerUnpublishVolumeRequest;
import csi.v1.CreateSnapshotRequest;
import csi.v1.CreateVolumeRequest;
import csi.v1.DeleteSnapshotRequest;
import csi.v1.DeleteVolumeRequest;
import csi.v1.GetCapacityRequest;
import csi.v1.ListVolumesRequest;
import csi.v1.ListVolumesResponse;
import csi.v1.Snapshot;
import csi.v1.Topology;
import csi.v1.TopologyRequirement;
import csi.v1.Volume;
import csi.v1.VolumeContentSource;
import dev.stowage.cli.client.CsiClient;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The calls that an orchestrator makes to the controller. */
final class Volumes {

    static final long MIB = 1L << 20;
    private static final String PLACE = "local.stowage.dev/node";

    private Volumes() {}

    static Topology on(String node) {
        return Topology.newBuilder().putSegments(PLACE, node).build();
    }

    static CreateVolumeRequest.Builder request(String name, long size, String... nodes) {
        var request = CreateVolumeRequest.newBuilder()
                .setName(name)
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(size))
                .addVolumeCapabilities(CsiClient.mounted("ext4"));
        if (nodes.length > 0) {
            var where = TopologyRequirement.newBuilder();
            for (String node : nodes) {
                where.addRequisite(on(node)).addPreferred(on(node));
            }
            request.setAccessibilityRequirements(where);
        }
        return request;
    }

    static Volume create(CsiClient csi, CreateVolumeRequest.Builder request) {
        return csi.controller()
                .withDeadlineAfter(60, TimeUnit.SECONDS)
                .createVolume(request.build())
                .getVolume();
    }

    static String nodeOf(Volume volume) {
        return volume.getAccessibleTopology(0).getSegmentsOrThrow(PLACE);
    }

    static VolumeContentSource copyOf(Volume volume) {
        return VolumeContentSource.newBuilder()
                .setVolume(VolumeContentSource.VolumeSource.newBuilder().setVolumeId(volume.getVolumeId()))
                .build();
    }

    static VolumeContentSource copyOf(Snapshot snapshot) {
        return VolumeContentSource.newBuilder()
                .setSnapshot(VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId(snapshot.getSnapshotId()))
                .build();
    }

    static void delete(CsiClient csi, String id) {
        csi.controller()
                .withDeadlineAfter(60, TimeUnit.SECONDS)
                .deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build());
    }

    static Snapshot snapshot(CsiClient csi, String name, String volume) {
        return csi.controller()
                .withDeadlineAfter(60, TimeUnit.SECONDS)
                .createSnapshot(CreateSnapshotRequest.newBuilder()
                        .setName(name)
                        .setSourceVolumeId(volume)
                        .build())
                .getSnapshot();
    }

    static void deleteSnapshot(CsiClient csi, String id) {
        csi.controller()
                .withDeadlineAfter(60, TimeUnit.SECONDS)
                .deleteSnapshot(
                        DeleteSnapshotRequest.newBuilder().setSnapshotId(id).build());
    }

    static void attach(CsiClient csi, Volume volume, String node) {
        csi.controller()
                .controllerPublishVolume(ControllerPublishVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setNodeId(node)
                        .setVolumeCapability(CsiClient.mounted("ext4"))
                        .putAllVolumeContext(volume.getVolumeContextMap())
                        .build());
    }

    static void detach(CsiClient csi, Volume volume, String node) {
        csi.controller()
                .controllerUnpublishVolume(ControllerUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setNodeId(node)
                        .build());
    }

    static List<ListVolumesResponse.Entry> list(CsiClient csi) {
        return csi.controller()
                .listVolumes(ListVolumesRequest.getDefaultInstance())
                .getEntriesList();
    }

    /** What a node could give; nothing when the controller cannot tell yet. */
    static long capacity(CsiClient csi, String node) {
        try {
            return csi.controller()
                    .getCapacity(GetCapacityRequest.newBuilder()
                            .setAccessibleTopology(on(node))
                            .build())
                    .getAvailableCapacity();
        } catch (StatusRuntimeException notYet) {
            return 0;
        }
    }
}
