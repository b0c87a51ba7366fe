package dev.stowage.driver.controller;

import csi.v1.CreateVolumeRequest;
import csi.v1.CreateVolumeResponse;
import dev.stowage.core.backend.ControllerSide;
import dev.stowage.core.backend.Volumes;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.RequestName;
import dev.stowage.core.lane.LaneNames;
import dev.stowage.core.lane.Lanes.Wish;
import dev.stowage.core.volume.ContentSource;
import dev.stowage.driver.call.Operation;
import dev.stowage.driver.message.Requests;
import dev.stowage.driver.message.Responses;
import dev.stowage.driver.message.TextMaps;
import dev.stowage.driver.message.Topologies;
import dev.stowage.driver.message.VolumeUses;
import java.util.ArrayList;
import java.util.List;

final class CreateVolume implements Operation<CreateVolumeRequest, Volumes.Wanted, CreateVolumeResponse> {

    private final ControllerSide storage;

    CreateVolume(ControllerSide storage) {
        this.storage = storage;
    }

    @Override
    public Volumes.Wanted parse(CreateVolumeRequest request) {
        var wanted = new Volumes.Wanted(
                new RequestName(request.getName()),
                Requests.size(request.hasCapacityRange(), request.getCapacityRange()),
                VolumeUses.required(request.getVolumeCapabilitiesList()),
                TextMaps.parameters("parameters", request.getParametersMap()),
                TextMaps.parameters("mutable_parameters", request.getModifiableParametersMap()),
                Requests.source(request.hasVolumeContentSource(), request.getVolumeContentSource()),
                Topologies.requirement(request.hasAccessibilityRequirements(), request.getAccessibilityRequirements()));
        TextMaps.secrets(request.getSecretsMap());
        wanted.source().ifPresent(this::requireSupported);
        if (!wanted.mutableParameters().isEmpty() && storage.modification().isEmpty()) {
            throw StowageException.invalid("mutable_parameters: the volumes of this driver's storage have none");
        }
        return wanted;
    }

    private void requireSupported(ContentSource source) {
        switch (source) {
            case ContentSource.OfSnapshot ignored
            when storage.snapshots().isEmpty() ->
                throw StowageException.invalid("volume_content_source: this driver's storage has no snapshots");
            case ContentSource.OfVolume ignored
            when !storage.volumes().clonable() ->
                throw StowageException.invalid("volume_content_source: this driver's storage cannot copy volumes");
            case ContentSource.OfSnapshot ignored -> {}
            case ContentSource.OfVolume ignored -> {}
        }
    }

    /** A source volume must not change while it is copied; a source snapshot cannot, but must not go. */
    @Override
    public List<Wish> lanes(Volumes.Wanted wanted) {
        var lanes = new ArrayList<Wish>();
        lanes.add(LaneNames.volumeName(wanted.name()));
        wanted.source()
                .ifPresent(source -> lanes.add(
                        switch (source) {
                            case ContentSource.OfSnapshot(var snapshot) -> LaneNames.snapshotShared(snapshot);
                            case ContentSource.OfVolume(var volume) -> LaneNames.volume(volume);
                        }));
        return lanes;
    }

    @Override
    public CreateVolumeResponse perform(Volumes.Wanted wanted) {
        return CreateVolumeResponse.newBuilder()
                .setVolume(Responses.volume(storage.volumes().create(wanted)))
                .build();
    }
}
