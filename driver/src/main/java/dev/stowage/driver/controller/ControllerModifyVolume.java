package dev.stowage.driver.controller;

import csi.v1.ControllerModifyVolumeRequest;
import csi.v1.ControllerModifyVolumeResponse;
import dev.stowage.core.backend.Modification;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.lane.LaneNames;
import dev.stowage.core.lane.Lanes.Wish;
import dev.stowage.driver.call.Operation;
import dev.stowage.driver.message.TextMaps;
import java.util.List;
import java.util.Map;

final class ControllerModifyVolume
        implements Operation<
                ControllerModifyVolumeRequest, ControllerModifyVolume.Wanted, ControllerModifyVolumeResponse> {

    record Wanted(VolumeId volume, Map<String, String> mutableParameters) {}

    private final Modification modification;

    ControllerModifyVolume(Modification modification) {
        this.modification = modification;
    }

    @Override
    public Wanted parse(ControllerModifyVolumeRequest request) {
        var volume = new VolumeId(request.getVolumeId());
        TextMaps.secrets(request.getSecretsMap());
        if (request.getModifiableParametersMap().isEmpty()) {
            throw StowageException.invalid("mutable_parameters is missing");
        }
        return new Wanted(volume, TextMaps.parameters("mutable_parameters", request.getModifiableParametersMap()));
    }

    @Override
    public List<Wish> lanes(Wanted wanted) {
        return List.of(LaneNames.volume(wanted.volume()));
    }

    @Override
    public ControllerModifyVolumeResponse perform(Wanted wanted) {
        modification.modify(wanted.volume(), wanted.mutableParameters());
        return ControllerModifyVolumeResponse.getDefaultInstance();
    }
}
