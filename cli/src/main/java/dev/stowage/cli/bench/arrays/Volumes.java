package dev.stowage.cli.bench.arrays;

import csi.v1.CapacityRange;
import csi.v1.ControllerGrpc.ControllerBlockingStub;
import csi.v1.ControllerPublishVolumeRequest;
import csi.v1.ControllerUnpublishVolumeRequest;
import csi.v1.CreateVolumeRequest;
import csi.v1.DeleteVolumeRequest;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.core.volume.Sizes;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The CSI calls that are measured. */
record Volumes(CsiClient csi) {

    static final String CREATE = "CreateVolume";
    static final String CREATE_ELSEWHERE = "CreateVolume, asked of the sick array first";
    static final String DELETE = "DeleteVolume";
    static final String ATTACH = "ControllerPublishVolume";
    static final String DETACH = "ControllerUnpublishVolume";

    private static final int CALL_SECONDS = 120;

    private ControllerBlockingStub controller() {
        return csi.controller().withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS);
    }

    Duration create(String name, Load load) throws Exception {
        var request = CreateVolumeRequest.newBuilder()
                .setName(name)
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(Sizes.GIB))
                .addVolumeCapabilities(CsiClient.block())
                .build();
        return load.measure(CREATE, () -> controller().createVolume(request));
    }

    void delete(String name, Load load) throws Exception {
        var request = DeleteVolumeRequest.newBuilder().setVolumeId(name).build();
        var _ = load.measure(DELETE, () -> controller().deleteVolume(request));
    }

    void attach(String name, String node, Load load) throws Exception {
        var request = ControllerPublishVolumeRequest.newBuilder()
                .setVolumeId(name)
                .setNodeId(node)
                .setVolumeCapability(CsiClient.block())
                .build();
        var _ = load.measure(ATTACH, () -> controller().controllerPublishVolume(request));
    }

    void detach(String name, String node, Load load) throws Exception {
        var request = ControllerUnpublishVolumeRequest.newBuilder()
                .setVolumeId(name)
                .setNodeId(node)
                .build();
        var _ = load.measure(DETACH, () -> controller().controllerUnpublishVolume(request));
    }
}
