package dev.stowage.driver.controller;

import csi.v1.DeleteVolumeRequest;
import csi.v1.DeleteVolumeResponse;
import dev.stowage.core.backend.Volumes;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.lane.LaneNames;
import dev.stowage.core.lane.Lanes.Wish;
import dev.stowage.driver.call.Operation;
import dev.stowage.driver.message.TextMaps;
import java.util.List;

final class DeleteVolume implements Operation<DeleteVolumeRequest, VolumeId, DeleteVolumeResponse> {

    private final Volumes volumes;

    DeleteVolume(Volumes volumes) {
        this.volumes = volumes;
    }

    @Override
    public VolumeId parse(DeleteVolumeRequest request) {
        var volume = new VolumeId(request.getVolumeId());
        TextMaps.secrets(request.getSecretsMap());
        return volume;
    }

    @Override
    public List<Wish> lanes(VolumeId volume) {
        return List.of(LaneNames.volume(volume));
    }

    @Override
    public DeleteVolumeResponse perform(VolumeId volume) {
        volumes.delete(volume);
        return DeleteVolumeResponse.getDefaultInstance();
    }
}
