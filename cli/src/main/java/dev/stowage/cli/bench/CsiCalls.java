package dev.stowage.cli.bench;

import csi.v1.CapacityRange;
import csi.v1.ControllerPublishVolumeRequest;
import csi.v1.ControllerUnpublishVolumeRequest;
import csi.v1.CreateSnapshotRequest;
import csi.v1.CreateVolumeRequest;
import csi.v1.DeleteSnapshotRequest;
import csi.v1.DeleteVolumeRequest;
import csi.v1.NodePublishVolumeRequest;
import csi.v1.NodeStageVolumeRequest;
import csi.v1.NodeUnpublishVolumeRequest;
import csi.v1.NodeUnstageVolumeRequest;
import csi.v1.VolumeCapability;
import csi.v1.VolumeContentSource;
import dev.stowage.cli.client.CsiClient;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.Objects;

/** The calls a cluster makes for a volume, the same for every driver. */
final class CsiCalls {

    private final DriverUnderTest driver;

    CsiCalls(DriverUnderTest driver) {
        this.driver = driver;
    }

    private CsiClient client() {
        return driver.client();
    }

    String create(String name, long size, VolumeCapability capability) {
        return client().controller()
                .createVolume(wish(name, size, capability).build())
                .getVolume()
                .getVolumeId();
    }

    String clone(String name, long size, VolumeCapability capability, String source) {
        var from = VolumeContentSource.newBuilder()
                .setVolume(VolumeContentSource.VolumeSource.newBuilder().setVolumeId(source));
        return client().controller()
                .createVolume(wish(name, size, capability)
                        .setVolumeContentSource(from)
                        .build())
                .getVolume()
                .getVolumeId();
    }

    private static CreateVolumeRequest.Builder wish(String name, long size, VolumeCapability capability) {
        return CreateVolumeRequest.newBuilder()
                .setName(name)
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(size))
                .addVolumeCapabilities(capability);
    }

    void delete(String id) {
        client().controller()
                .deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build());
    }

    String snapshot(String name, String source) {
        return client().controller()
                .createSnapshot(CreateSnapshotRequest.newBuilder()
                        .setName(name)
                        .setSourceVolumeId(source)
                        .build())
                .getSnapshot()
                .getSnapshotId();
    }

    void deleteSnapshot(String id) {
        client().controller()
                .deleteSnapshot(
                        DeleteSnapshotRequest.newBuilder().setSnapshotId(id).build());
    }

    /** Creates a volume, attaches it to the node and makes the directories that a kubelet makes. */
    Volume attached(String name, long size, VolumeCapability capability) throws IOException {
        var created = client().controller()
                .createVolume(wish(name, size, capability).build())
                .getVolume();
        return attach(created.getVolumeId(), capability, created.getVolumeContextMap());
    }

    private Volume attach(String id, VolumeCapability capability, Map<String, String> context) throws IOException {
        var attachment = client().controller()
                .controllerPublishVolume(ControllerPublishVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .setNodeId(DriverUnderTest.NODE)
                        .setVolumeCapability(capability)
                        .putAllVolumeContext(context)
                        .build());
        var staging = driver.home().resolve("staging").resolve(id);
        var target = driver.home().resolve("pods").resolve(id).resolve("volume");
        Files.createDirectories(staging);
        Files.createDirectories(Objects.requireNonNull(target.getParent()));
        return new Volume(id, capability, staging, target, context, attachment.getPublishContextMap());
    }

    void detachAndDelete(Volume volume) {
        detach(volume);
        delete(volume.id());
    }

    void detach(Volume volume) {
        client().controller()
                .controllerUnpublishVolume(ControllerUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(volume.id())
                        .setNodeId(DriverUnderTest.NODE)
                        .build());
    }

    void stage(Volume volume) {
        client().node()
                .nodeStageVolume(NodeStageVolumeRequest.newBuilder()
                        .setVolumeId(volume.id())
                        .setStagingTargetPath(volume.staging().toString())
                        .setVolumeCapability(volume.capability())
                        .putAllVolumeContext(volume.context())
                        .putAllPublishContext(volume.publishContext())
                        .build());
    }

    void publish(Volume volume) {
        client().node()
                .nodePublishVolume(NodePublishVolumeRequest.newBuilder()
                        .setVolumeId(volume.id())
                        .setStagingTargetPath(volume.staging().toString())
                        .setTargetPath(volume.target().toString())
                        .setVolumeCapability(volume.capability())
                        .putAllVolumeContext(volume.context())
                        .putAllPublishContext(volume.publishContext())
                        .build());
    }

    void unpublish(Volume volume) {
        client().node()
                .nodeUnpublishVolume(NodeUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(volume.id())
                        .setTargetPath(volume.target().toString())
                        .build());
    }

    void unstage(Volume volume) {
        client().node()
                .nodeUnstageVolume(NodeUnstageVolumeRequest.newBuilder()
                        .setVolumeId(volume.id())
                        .setStagingTargetPath(volume.staging().toString())
                        .build());
    }
}
