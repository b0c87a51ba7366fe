package dev.stowage.driver.controller;

import csi.v1.ControllerExpandVolumeRequest;
import csi.v1.ControllerExpandVolumeResponse;
import dev.stowage.core.backend.Expansion;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.lane.LaneNames;
import dev.stowage.core.lane.Lanes.Wish;
import dev.stowage.core.volume.SizeRange;
import dev.stowage.core.volume.VolumeUse;
import dev.stowage.driver.call.Operation;
import dev.stowage.driver.message.Requests;
import dev.stowage.driver.message.TextMaps;
import dev.stowage.driver.message.VolumeUses;
import java.util.List;
import java.util.Optional;

final class ControllerExpandVolume
        implements Operation<
                ControllerExpandVolumeRequest, ControllerExpandVolume.Wanted, ControllerExpandVolumeResponse> {

    record Wanted(VolumeId volume, SizeRange size, Optional<VolumeUse> use) {}

    private final Expansion expansion;

    ControllerExpandVolume(Expansion expansion) {
        this.expansion = expansion;
    }

    @Override
    public Wanted parse(ControllerExpandVolumeRequest request) {
        var wanted = new Wanted(
                new VolumeId(request.getVolumeId()),
                Requests.requiredSize(request.hasCapacityRange(), request.getCapacityRange()),
                VolumeUses.optional(request.hasVolumeCapability(), request.getVolumeCapability()));
        TextMaps.secrets(request.getSecretsMap());
        return wanted;
    }

    @Override
    public List<Wish> lanes(Wanted wanted) {
        return List.of(LaneNames.volume(wanted.volume()));
    }

    @Override
    public ControllerExpandVolumeResponse perform(Wanted wanted) {
        var expanded = expansion.expand(wanted.volume(), wanted.size(), wanted.use());
        return ControllerExpandVolumeResponse.newBuilder()
                .setCapacityBytes(expanded.sizeBytes())
                .setNodeExpansionRequired(expanded.nodeHasToFollow())
                .build();
    }
}
