package dev.stowage.driver.controller;

import com.google.protobuf.Int64Value;
import csi.v1.GetCapacityRequest;
import csi.v1.GetCapacityResponse;
import dev.stowage.core.backend.Capacity;
import dev.stowage.core.volume.Topology;
import dev.stowage.core.volume.VolumeUse;
import dev.stowage.driver.call.Operation;
import dev.stowage.driver.message.TextMaps;
import dev.stowage.driver.message.Topologies;
import dev.stowage.driver.message.VolumeUses;
import java.util.List;
import java.util.Map;
import java.util.Optional;

final class GetCapacity implements Operation<GetCapacityRequest, GetCapacity.Wanted, GetCapacityResponse> {

    record Wanted(List<VolumeUse> uses, Map<String, String> parameters, Optional<Topology> place) {}

    private final Capacity capacity;

    GetCapacity(Capacity capacity) {
        this.capacity = capacity;
    }

    @Override
    public Wanted parse(GetCapacityRequest request) {
        return new Wanted(
                VolumeUses.all(request.getVolumeCapabilitiesList()),
                TextMaps.parameters("parameters", request.getParametersMap()),
                Topologies.place(request.hasAccessibleTopology(), request.getAccessibleTopology()));
    }

    @Override
    public GetCapacityResponse perform(Wanted wanted) {
        var answer = capacity.available(wanted.uses(), wanted.parameters(), wanted.place());
        return GetCapacityResponse.newBuilder()
                .setAvailableCapacity(answer.availableBytes())
                .setMaximumVolumeSize(Int64Value.of(answer.largestVolume()))
                .setMinimumVolumeSize(Int64Value.of(answer.smallestVolume()))
                .build();
    }
}
