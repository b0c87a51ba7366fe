package dev.stowage.driver.controller;

import csi.v1.ControllerGetVolumeRequest;
import csi.v1.ControllerGetVolumeResponse;
import dev.stowage.core.backend.Volumes;
import dev.stowage.core.id.VolumeId;
import dev.stowage.driver.call.Operation;
import dev.stowage.driver.message.Responses;

final class ControllerGetVolume
        implements Operation<ControllerGetVolumeRequest, VolumeId, ControllerGetVolumeResponse> {

    private final Volumes volumes;

    ControllerGetVolume(Volumes volumes) {
        this.volumes = volumes;
    }

    @Override
    public VolumeId parse(ControllerGetVolumeRequest request) {
        return new VolumeId(request.getVolumeId());
    }

    @Override
    public ControllerGetVolumeResponse perform(VolumeId id) {
        var volume = volumes.find(id);
        var response = ControllerGetVolumeResponse.newBuilder().setVolume(Responses.volume(volume));
        response.getStatusBuilder().addAllPublishedNodeIds(Responses.publishedTo(volume));
        return response.build();
    }
}
