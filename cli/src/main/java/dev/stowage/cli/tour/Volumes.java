package dev.stowage.cli.tour;

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
import csi.v1.Snapshot;
import csi.v1.Volume;
import csi.v1.VolumeContentSource;
import dev.stowage.cli.client.CsiClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/** Volumes of the tour, from the wish to a directory that can be written to. Whatever is made is remembered, so that it can go again. */
final class Volumes {

    private final CsiClient csi;
    private final String node;
    private final Path workspace;
    private final Deque<Undo> undo = new ArrayDeque<>();

    private interface Undo {
        void run() throws IOException;
    }

    /** A volume that is mounted at a directory. */
    record Mounted(Volume volume, Path staging, Path directory) {
        String id() {
            return volume.getVolumeId();
        }
    }

    Volumes(CsiClient csi, String node, Path workspace) {
        this.csi = csi;
        this.node = node;
        this.workspace = workspace;
    }

    Volume create(String name, long size) {
        return create(CreateVolumeRequest.newBuilder()
                .setName(name)
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(size)));
    }

    Volume fromSnapshot(String name, String snapshot) {
        return create(CreateVolumeRequest.newBuilder()
                .setName(name)
                .setVolumeContentSource(VolumeContentSource.newBuilder()
                        .setSnapshot(
                                VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId(snapshot))));
    }

    Volume cloneOf(String name, String volume) {
        return create(CreateVolumeRequest.newBuilder()
                .setName(name)
                .setVolumeContentSource(VolumeContentSource.newBuilder()
                        .setVolume(VolumeContentSource.VolumeSource.newBuilder().setVolumeId(volume))));
    }

    private Volume create(CreateVolumeRequest.Builder request) {
        var volume = csi.controller()
                .createVolume(
                        request.addVolumeCapabilities(CsiClient.mounted("")).build())
                .getVolume();
        undo.push(() -> csi.controller()
                .deleteVolume(DeleteVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .build()));
        return volume;
    }

    Mounted mount(Volume volume) throws IOException {
        String id = volume.getVolumeId();
        Path staging = Files.createDirectories(workspace.resolve("node/staging").resolve(id));
        Path pods = Files.createDirectories(workspace.resolve("node/pods").resolve(id));
        Path target = pods.resolve("mount");
        var capability = CsiClient.mounted("");
        var published = csi.controller()
                .controllerPublishVolume(ControllerPublishVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .setNodeId(node)
                        .setVolumeCapability(capability)
                        .putAllVolumeContext(volume.getVolumeContextMap())
                        .build());
        undo.push(() -> csi.controller()
                .controllerUnpublishVolume(ControllerUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .setNodeId(node)
                        .build()));
        csi.node()
                .nodeStageVolume(NodeStageVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .setStagingTargetPath(staging.toString())
                        .setVolumeCapability(capability)
                        .putAllPublishContext(published.getPublishContextMap())
                        .putAllVolumeContext(volume.getVolumeContextMap())
                        .build());
        undo.push(() -> csi.node()
                .nodeUnstageVolume(NodeUnstageVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .setStagingTargetPath(staging.toString())
                        .build()));
        csi.node()
                .nodePublishVolume(NodePublishVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .setStagingTargetPath(staging.toString())
                        .setTargetPath(target.toString())
                        .setVolumeCapability(capability)
                        .putAllPublishContext(published.getPublishContextMap())
                        .putAllVolumeContext(volume.getVolumeContextMap())
                        .build());
        undo.push(() -> csi.node()
                .nodeUnpublishVolume(NodeUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .setTargetPath(target.toString())
                        .build()));
        return new Mounted(volume, staging, target);
    }

    Snapshot snapshot(String name, String volume) {
        var snapshot = csi.controller()
                .createSnapshot(CreateSnapshotRequest.newBuilder()
                        .setName(name)
                        .setSourceVolumeId(volume)
                        .build())
                .getSnapshot();
        undo.push(() -> csi.controller()
                .deleteSnapshot(DeleteSnapshotRequest.newBuilder()
                        .setSnapshotId(snapshot.getSnapshotId())
                        .build()));
        return snapshot;
    }

    /** Something that was made beside this class and has to go in its turn. */
    void remember(Runnable removal) {
        undo.push(removal::run);
    }

    /** Takes everything back, the last first. */
    void removeAll() throws IOException {
        while (!undo.isEmpty()) {
            undo.peek().run();
            undo.pop();
        }
    }
}
