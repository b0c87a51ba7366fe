package dev.stowage.conformance.harness;

import csi.v1.CapacityRange;
import csi.v1.ControllerPublishVolumeRequest;
import csi.v1.ControllerUnpublishVolumeRequest;
import csi.v1.CreateSnapshotRequest;
import csi.v1.CreateVolumeRequest;
import csi.v1.DeleteVolumeRequest;
import csi.v1.NodePublishVolumeRequest;
import csi.v1.NodeStageVolumeRequest;
import csi.v1.NodeUnpublishVolumeRequest;
import csi.v1.NodeUnstageVolumeRequest;
import csi.v1.Snapshot;
import csi.v1.Volume;
import csi.v1.VolumeCapability;
import dev.stowage.cli.client.CsiClient;
import java.nio.file.Path;
import java.util.Map;

/** What an orchestrator does for a claim, call by call, with the arguments it would send. */
public record Claim(CsiClient csi, Workspace workspace, Volume volume, VolumeCapability capability) {

    public static final long MIB = 1L << 20;
    public static final long GIB = 1L << 30;

    public static Claim create(
            CsiClient csi,
            Workspace workspace,
            String name,
            long size,
            VolumeCapability capability,
            Map<String, String> parameters) {
        return new Claim(
                csi,
                workspace,
                csi.controller()
                        .createVolume(request(name, size, capability, parameters))
                        .getVolume(),
                capability);
    }

    public static Claim create(
            CsiClient csi, Workspace workspace, String name, long size, VolumeCapability capability) {
        return create(csi, workspace, name, size, capability, Map.of());
    }

    public static CreateVolumeRequest request(
            String name, long size, VolumeCapability capability, Map<String, String> parameters) {
        return CreateVolumeRequest.newBuilder()
                .setName(name)
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(size))
                .addVolumeCapabilities(capability)
                .putAllParameters(parameters)
                .build();
    }

    public String id() {
        return volume.getVolumeId();
    }

    /** The same volume through another connection, such as that of a restarted driver. */
    public Claim through(CsiClient other) {
        return new Claim(other, workspace, volume, capability);
    }

    public Path staging() {
        return workspace.directory("staging/" + id());
    }

    public Path target(String pod) {
        return workspace.directory("pods/" + pod).resolve(id());
    }

    public ControllerPublishVolumeRequest attachRequest() {
        return ControllerPublishVolumeRequest.newBuilder()
                .setVolumeId(id())
                .setNodeId(RunningDriver.NODE)
                .setVolumeCapability(capability)
                .putAllVolumeContext(volume.getVolumeContextMap())
                .build();
    }

    public Map<String, String> attach() {
        return csi.controller().controllerPublishVolume(attachRequest()).getPublishContextMap();
    }

    public NodeStageVolumeRequest stageRequest() {
        return NodeStageVolumeRequest.newBuilder()
                .setVolumeId(id())
                .setStagingTargetPath(staging().toString())
                .setVolumeCapability(capability)
                .putAllVolumeContext(volume.getVolumeContextMap())
                .build();
    }

    public void stage() {
        csi.node().nodeStageVolume(stageRequest());
    }

    public NodePublishVolumeRequest publishRequest(String pod) {
        return NodePublishVolumeRequest.newBuilder()
                .setVolumeId(id())
                .setStagingTargetPath(staging().toString())
                .setTargetPath(target(pod).toString())
                .setVolumeCapability(capability)
                .putAllVolumeContext(volume.getVolumeContextMap())
                .build();
    }

    public Path publish(String pod) {
        csi.node().nodePublishVolume(publishRequest(pod));
        return target(pod);
    }

    /** Attached, staged and published: what a pod sees. */
    public Path use(String pod) {
        attach();
        stage();
        return publish(pod);
    }

    public void unpublish(String pod) {
        csi.node()
                .nodeUnpublishVolume(NodeUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(id())
                        .setTargetPath(target(pod).toString())
                        .build());
    }

    public void unstage() {
        csi.node()
                .nodeUnstageVolume(NodeUnstageVolumeRequest.newBuilder()
                        .setVolumeId(id())
                        .setStagingTargetPath(staging().toString())
                        .build());
    }

    public void detach() {
        csi.controller()
                .controllerUnpublishVolume(ControllerUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(id())
                        .setNodeId(RunningDriver.NODE)
                        .build());
    }

    public void release(String pod) {
        unpublish(pod);
        unstage();
        detach();
    }

    public void delete() {
        csi.controller()
                .deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id()).build());
    }

    public Snapshot snapshot(String name) {
        return csi.controller()
                .createSnapshot(CreateSnapshotRequest.newBuilder()
                        .setName(name)
                        .setSourceVolumeId(id())
                        .build())
                .getSnapshot();
    }
}
